package dev.spur.agent.reconcile;

import dev.spur.agent.process.HeldDevices;
import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentPhase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Compares the desired with the observed state. Only the newest desired state counts, so missed updates have no effect.
 * Without changes from outside, performing the actions leads to a state that needs none.
 */
public final class Reconciler {
    private final Map<String, LocalRun> runs = new LinkedHashMap<>();
    private final HeldDevices held = new HeldDevices();
    private final boolean mayStart;
    private final List<ReconcileAction> actions = new ArrayList<>();

    private Reconciler(List<LocalRun> observed, boolean mayStart) {
        this.mayStart = mayStart;
        for (LocalRun run : observed) {
            runs.put(run.id(), run);
            if (run.phase() != LocalRun.Phase.ENDED) {
                held.add(run.devices(), run.deviceShare());
            }
        }
    }

    /**
     * Returns the actions that are due. Ends come first, so that they do not wait for the service.
     *
     * @param desired all assignments of this node
     * @param observed all runs on this node
     * @param mayStart false while the lease of the node is expired
     */
    public static List<ReconcileAction> diff(List<Assignment> desired, List<LocalRun> observed, boolean mayStart) {
        Reconciler reconciler = new Reconciler(observed, mayStart);
        reconciler.endWhatIsNotListed(desired);
        for (Assignment assignment : desired) {
            LocalRun run = reconciler.runs.get(assignment.assignmentId());
            if (run == null) {
                reconciler.reconcile(assignment);
            } else if (run.isReplacedBy(assignment)) {
                reconciler.actions.add(new ReconcileAction.Discard(run.id()));
            } else if (run.warmUp() != LocalRun.WarmUp.NONE) {
                reconciler.warmUp(assignment, run);
            } else {
                reconciler.moveOn(assignment, run);
            }
        }
        return List.copyOf(reconciler.actions);
    }

    private void endWhatIsNotListed(List<Assignment> desired) {
        Set<String> listed = new HashSet<>();
        desired.forEach(assignment -> listed.add(assignment.assignmentId()));
        for (LocalRun run : runs.values()) {
            if (listed.contains(run.id())) {
                continue;
            }
            switch (run.phase()) {
                case RUNNING ->
                    actions.add(new ReconcileAction.Stop(run.id(), "no longer required", run.graceSeconds()));
                case STOPPING -> {}
                case ENDED -> actions.add(new ReconcileAction.Discard(run.id()));
            }
        }
    }

    private void reconcile(Assignment assignment) {
        boolean mustRun = assignment.desired() == Assignment.Desired.RUN;
        if (assignment.state().isHolding()) {
            // the run does not exist: it could not start, or the agent's state was lost
            if (mustRun) {
                reportPhase(assignment, AssignmentPhase.FAILED, false, "it has no process on the node");
            } else {
                reportPhase(assignment, AssignmentPhase.STOPPED, true, "");
            }
        } else if (mustRun && held.leaveRoomFor(assignment.devices(), assignment.deviceShare())) {
            boolean offered = assignment.state() == AssignmentPhase.OFFERED;
            if (assignment.mayStart() && mayStart && (offered || assignment.state() == AssignmentPhase.ACCEPTED)) {
                held.add(assignment.devices(), assignment.deviceShare());
                actions.add(new ReconcileAction.Start(assignment));
            } else if (assignment.warmUp() && mayStart) {
                held.add(assignment.devices(), assignment.deviceShare());
                actions.add(new ReconcileAction.WarmUp(assignment));
            } else if (offered && assignment.waitFor().isEmpty()) {
                reportPhase(assignment, AssignmentPhase.ACCEPTED, false, "");
            }
        }
    }

    /** Takes the next step of a run whose processes wait for the start. Their failure is not one of the job. */
    private void warmUp(Assignment assignment, LocalRun run) {
        boolean mustRun = assignment.desired() == Assignment.Desired.RUN;
        if (run.phase() == LocalRun.Phase.ENDED) {
            actions.add(
                    mustRun && assignment.warmUp()
                            ? new ReconcileAction.ReportWarmUp(assignment, false)
                            : new ReconcileAction.Discard(run.id()));
        } else if (run.phase() == LocalRun.Phase.STOPPING) {
            return;
        } else if (!mustRun) {
            actions.add(0, new ReconcileAction.Stop(run.id(), "no longer required", assignment.graceSeconds()));
        } else if (mayStart && assignment.mayStart()) {
            actions.add(new ReconcileAction.Start(assignment));
        } else if (assignment.warmUp() && run.warmUp() == LocalRun.WarmUp.READY) {
            actions.add(new ReconcileAction.ReportWarmUp(assignment, true));
        } else if (assignment.state() == AssignmentPhase.OFFERED
                && assignment.waitFor().isEmpty()) {
            reportPhase(assignment, AssignmentPhase.ACCEPTED, false, "");
        }
    }

    private void reportPhase(Assignment assignment, AssignmentPhase state, boolean requested, String detail) {
        actions.add(new ReconcileAction.ReportState(assignment, state, OptionalInt.empty(), requested, detail));
    }

    private void moveOn(Assignment assignment, LocalRun run) {
        if (run.phase() == LocalRun.Phase.RUNNING && assignment.desired() == Assignment.Desired.STOP) {
            String reason = Objects.requireNonNullElse(assignment.reason(), "requested");
            actions.add(0, new ReconcileAction.Stop(run.id(), reason, assignment.graceSeconds()));
            return;
        }
        Assignment.Rescale change = assignment.pendingChange().orElse(null);
        if (change != null
                && run.phase() == LocalRun.Phase.ENDED
                && run.adopted()
                && assignment.state() == AssignmentPhase.RUNNING) {
            // otherwise the service would not wait for the ranks that have joined on other nodes
            actions.add(new ReconcileAction.ReportRescaled(assignment, change));
            return;
        }
        AssignmentPhase reached = phaseOf(run);
        if (!assignment.state().isFinal() && assignment.state().compareTo(reached) < 0) {
            actions.add(new ReconcileAction.ReportState(assignment, reached, run.exitCode(), run.requested(), ""));
        }
    }

    private static AssignmentPhase phaseOf(LocalRun run) {
        return switch (run.phase()) {
            case RUNNING -> AssignmentPhase.RUNNING;
            case STOPPING -> AssignmentPhase.STOPPING;
            case ENDED -> run.hasFailed() ? AssignmentPhase.FAILED : AssignmentPhase.STOPPED;
        };
    }
}
