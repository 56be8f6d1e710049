package dev.spur.service.executors;

import dev.spur.model.Seconds;
import dev.spur.service.jobs.AssignmentKey;
import dev.spur.service.jobs.AssignmentState;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.jobs.AssignmentTransitionStore;
import dev.spur.service.jobs.Command;
import dev.spur.service.jobs.StoredAssignment;
import dev.spur.service.jobs.StoredAssignment.DesiredRunState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Reconciles the assignments that an executor reports with the stored ones. An unexpected assignment keeps its devices
 * until the executor reports that it has stopped it. Call each method in the transaction that has locked the executor.
 */
@Component
class AssignmentReconciler {
    private final AssignmentStore assignments;
    private final AssignmentTransitionStore transitions;
    private final AssignmentCompletion completion;
    private final ExecutorProperties properties;

    AssignmentReconciler(
            AssignmentStore assignments,
            AssignmentTransitionStore transitions,
            AssignmentCompletion completion,
            ExecutorProperties properties) {
        this.assignments = assignments;
        this.transitions = transitions;
        this.completion = completion;
        this.properties = properties;
    }

    /** An assignment with processes on the executor. Members as in the contract. */
    record RunningAssignment(
            String assignmentId,
            AssignmentState state,
            @Nullable Long pid,
            @Nullable List<String> devices) {}

    /** Order to stop an assignment. Members as in the contract. */
    record StopOrder(String assignmentId, double graceSeconds, DesiredRunState reason) {
        private static final double GRACE_SECONDS = 30;

        /** The order for an assignment of a job with {@code command}, as JSON; null if it is not known. */
        static StopOrder of(String assignmentId, @Nullable String command, DesiredRunState reason) {
            double grace =
                    command == null ? GRACE_SECONDS : Command.read(command).graceSeconds();
            return new StopOrder(assignmentId, grace, reason.runs() ? DesiredRunState.SUPERSEDED : reason);
        }
    }

    /** Result of a reconciliation. */
    record Result(List<String> confirmed, List<StopOrder> stop) {}

    /** Reconciles after a registration: an assignment that is not reported does not run any more. */
    Result onRegistration(String node, List<RunningAssignment> running, List<String> allDevices) {
        Map<AssignmentKey, StoredAssignment> live = byKey(assignments.lockLive(node));
        List<String> confirmed = new ArrayList<>();
        List<StopOrder> stop = new ArrayList<>();
        for (RunningAssignment reported : eachOnce(running)) {
            AssignmentKey key = AssignmentKey.of(reported.assignmentId(), node);
            StoredAssignment known = live.remove(key);
            if (known == null) {
                stop.add(addOrphan(key, reported, allDevices));
                continue;
            }
            if (known.state() != reported.state()) {
                transitions.move(key, reported.state(), "reported when its executor registered again");
                transitions.recordStart(key.jobId(), key.generation());
            }
            if (known.shouldRun() && reported.state() != AssignmentState.STOPPING) {
                confirmed.add(key.id());
            } else {
                stop.add(order(known));
            }
        }
        missing(node, List.copyOf(live.values()));
        return new Result(confirmed, stop);
    }

    private void missing(String node, List<StoredAssignment> missing) {
        List<StoredAssignment> gone = new ArrayList<>();
        for (StoredAssignment assignment : missing) {
            switch (assignment.state()) {
                case ACCEPTED -> transitions.move(assignment.key(), AssignmentState.OFFERED, null);
                case STOPPING ->
                    transitions.move(
                            assignment.key(), AssignmentState.STOPPED, "missing when its executor registered again");
                case STARTING, RUNNING -> gone.add(assignment);
                default -> {}
            }
        }
        completion.lose(gone, "EXECUTOR_RESTARTED", node);
    }

    /**
     * Reconciles after a heartbeat. Devices of unexpected assignments are reserved, and released when these are no
     * longer reported. {@code known} are the live assignments.
     */
    List<StopOrder> onHeartbeat(
            StoredExecutor executor, List<StoredAssignment> known, List<RunningAssignment> running) {
        Map<AssignmentKey, StoredAssignment> live = byKey(known);
        List<StopOrder> stop = new ArrayList<>();
        Set<AssignmentKey> reported = running.stream()
                .map(item -> AssignmentKey.of(item.assignmentId(), executor.id()))
                .collect(Collectors.toSet());
        for (RunningAssignment item : eachOnce(running)) {
            AssignmentKey key = AssignmentKey.of(item.assignmentId(), executor.id());
            if (!live.containsKey(key) && !endedJustNow(key)) {
                stop.add(addOrphan(key, item, executor.devices()));
            }
        }
        live.values().stream()
                .filter(assignment -> assignment.orphan() && !reported.contains(assignment.key()))
                .forEach(gone ->
                        transitions.move(gone.key(), AssignmentState.STOPPED, "its executor no longer runs it"));
        return stop;
    }

    /** True for an assignment that ended recently. The heartbeat may have been sent before the end was reported. */
    private boolean endedJustNow(AssignmentKey key) {
        return assignments
                .lock(key)
                .filter(ended -> ended.ageSeconds() < Seconds.of(properties.heartbeatInterval()))
                .isPresent();
    }

    private StopOrder addOrphan(AssignmentKey key, RunningAssignment reported, List<String> allDevices) {
        List<String> devices = Optional.ofNullable(reported.devices())
                .or(() -> assignments.lock(key).map(StoredAssignment::devices))
                .orElse(allDevices);
        transitions.addOrphan(key, devices, reported.pid());
        return order(assignments.lock(key).orElseThrow());
    }

    private StopOrder order(StoredAssignment assignment) {
        String command = assignments.command(assignment.key());
        return StopOrder.of(assignment.key().id(), command, assignment.desired());
    }

    private static Collection<RunningAssignment> eachOnce(List<RunningAssignment> running) {
        Map<String, RunningAssignment> byId = new LinkedHashMap<>();
        running.forEach(item -> byId.putIfAbsent(item.assignmentId(), item));
        return byId.values();
    }

    private static Map<AssignmentKey, StoredAssignment> byKey(List<StoredAssignment> assignments) {
        Map<AssignmentKey, StoredAssignment> byKey = new LinkedHashMap<>();
        assignments.forEach(assignment -> byKey.put(assignment.key(), assignment));
        return byKey;
    }
}
