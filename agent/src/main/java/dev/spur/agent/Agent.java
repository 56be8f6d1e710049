package dev.spur.agent;

import dev.spur.agent.process.LeaseFile;
import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentPhase;
import dev.spur.agent.protocol.Messages;
import dev.spur.agent.protocol.Messages.Assignments;
import dev.spur.agent.reconcile.AdaptDl;
import dev.spur.agent.reconcile.Environment;
import dev.spur.agent.reconcile.LocalRun;
import dev.spur.agent.reconcile.ReconcileAction;
import dev.spur.agent.reconcile.Reconciler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Main loop of the agent. It reconciles the processes on this node with the desired state. One thread handles all
 * processes; other threads communicate with the service.
 */
final class Agent {
    /** Fraction of the lease after which the agent logs a warning. */
    private static final double WARN_AT = 0.75;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ProcessRuns runs;
    private final Aggregators aggregators;
    private final Preparations preparations;
    private final RoleReplicas replicas;
    private final MemoryExports exports;
    private final RunningAssignments presence;
    private final LeaseFile lease;
    private final ServiceSession link;
    private final DesiredStatePoller poller;
    private final ProgressUploader uploader;
    private final TransitionReporter reporting;
    private final LogUploader logs;
    private final DiskWatch disk;
    private final Environment.Node node;
    private final TenantUsers users;
    private final Consumer<String> log;
    private final RankChanges rankChanges;
    private final Map<String, Assignment> reported = new HashMap<>();
    private long reportedEpoch;
    private boolean warned;
    private String lastFailure = "";

    /** A part of a step that may write files. */
    private interface Part {
        void run() throws InterruptedException;
    }

    /** Components of the agent. */
    record Components(
            ProcessRuns runs,
            Aggregators aggregators,
            Preparations preparations,
            RoleReplicas replicas,
            MemoryExports exports,
            RunningAssignments presence,
            LeaseFile lease,
            ServiceSession link,
            DesiredStatePoller poller,
            ProgressUploader uploader,
            TransitionReporter reporting,
            LogUploader logs,
            DiskWatch disk) {}

    Agent(Components parts, Environment.Node node, TenantUsers users, Consumer<String> log) {
        this.runs = parts.runs();
        this.aggregators = parts.aggregators();
        this.preparations = parts.preparations();
        this.replicas = parts.replicas();
        this.exports = parts.exports();
        this.presence = parts.presence();
        this.lease = parts.lease();
        this.link = parts.link();
        this.poller = parts.poller();
        this.uploader = parts.uploader();
        this.reporting = parts.reporting();
        this.logs = parts.logs();
        this.disk = parts.disk();
        this.node = node;
        this.users = users;
        this.log = log;
        this.rankChanges = new RankChanges(runs, node, log);
    }

    /**
     * Performs the work that is due. Ends are handled before work that needs the service. A part that cannot write a
     * file, for example on a full disk, is repeated in the next step and does not prevent the others.
     */
    void step() throws InterruptedException {
        attempt(this::observeAndReconcile);
    }

    private void observeAndReconcile() throws InterruptedException {
        attempt(runs::observe);
        attempt(aggregators::observe);
        attempt(preparations::observe);
        attempt(replicas::observe);
        attempt(this::endWhatTheLeaseDoesNotCover);
        for (Messages.StopOrder order = link.nextStop(); order != null; order = link.nextStop()) {
            runs.stop(order.assignmentId(), order.reason(), order.graceSeconds());
        }
        List<LocalRun> observed = observeRuns();
        presence.publish(runs.all());
        ServiceSession.Terms terms = link.terms();
        Assignments desired = terms == null ? null : poller.desiredState(terms.registrationEpoch());
        logs.publish(runs, followedAssignments(desired));
        if (terms != null && desired != null) {
            reconcile(desired, observed, terms);
        }
    }

    private void reconcile(Assignments desired, List<LocalRun> observed, ServiceSession.Terms terms)
            throws InterruptedException {
        boolean mayStart = lease.secondsLeft() > 0 && disk.shortage().isEmpty();
        attempt(() -> exports.update(desired.lends(), desired.revision(), mayStart));
        attempt(() -> aggregators.reconcile(desired.aggregators(), mayStart));
        attempt(() -> preparations.reconcile(desired.preparations(), mayStart, terms.longestGraceSeconds()));
        for (ReconcileAction action :
                Reconciler.diff(mergeReported(terms.registrationEpoch(), desired), observed, mayStart)) {
            attempt(() -> carryOut(action, terms));
        }
        List<Assignment> merged = mergeReported(terms.registrationEpoch(), desired);
        attempt(() -> replicas.reconcile(merged, mayStart, terms.longestGraceSeconds()));
        updateRuns(merged, terms, mayStart);
    }

    private void attempt(Part part) throws InterruptedException {
        try {
            part.run();
        } catch (UncheckedIOException e) {
            String failure = ErrorMessages.of(e);
            if (!failure.equals(lastFailure)) {
                log.accept("a file operation failed and is repeated: " + failure);
            }
            lastFailure = failure;
        }
    }

    /** Returns the ids of the assignments whose log a caller reads. */
    private static Set<String> followedAssignments(@Nullable Assignments desired) {
        Set<String> followed = new HashSet<>();
        if (desired != null) {
            desired.assignments().stream()
                    .filter(Assignment::followLog)
                    .forEach(assignment -> followed.add(assignment.assignmentId()));
        }
        return followed;
    }

    /** Passes changes within a generation to the running processes. */
    private void updateRuns(List<Assignment> desired, ServiceSession.Terms terms, boolean mayStart)
            throws InterruptedException {
        for (Assignment assignment : desired) {
            ProcessRun run = runs.find(assignment.assignmentId()).orElse(null);
            if (assignment.desired() == Assignment.Desired.RUN
                    && run != null
                    && !run.isWarming()
                    && run.phase() == ProcessRun.Phase.RUNNING) {
                attempt(() -> update(run, assignment, terms, mayStart));
            }
        }
    }

    private void update(ProcessRun run, Assignment assignment, ServiceSession.Terms terms, boolean mayStart)
            throws InterruptedException {
        Assignment.Rescale change = assignment.rescale();
        if (rankChanges.step(run, assignment, mayStart) && change != null) {
            reportRescaled(assignment, change, terms);
        }
        boolean started = change == null || run.spec().changesStarted() >= change.number();
        Assignment.HostShare host = Objects.requireNonNullElse(assignment.host(), new Assignment.HostShare(0, 0));
        RunSpec.Limits granted = new RunSpec.Limits(host.cpus(), host.memoryGiB());
        if (started && !granted.equals(run.spec().limits())) {
            runs.limit(run, granted);
        }
        if (run.spec().reports() && started) {
            run.writeDirective(DirectiveFile.json(assignment.batch(), change));
        }
        if (!assignment.aggregators().isEmpty()) {
            run.writeShardLocations(ShardLocationsFile.json(assignment.aggregators()));
        }
    }

    private void reportRescaled(Assignment assignment, Assignment.Rescale change, ServiceSession.Terms terms)
            throws InterruptedException {
        reporting
                .reportRescaled(terms.registrationEpoch(), assignment, change.number())
                .ifPresent(now -> reported.put(now.assignmentId(), now.withRescaleDone(change)));
    }

    private void endWhatTheLeaseDoesNotCover() {
        double left = lease.secondsLeft();
        ServiceSession.Terms terms = link.terms();
        boolean running = runs.all().stream().anyMatch(run -> run.phase() == ProcessRun.Phase.RUNNING);
        if (!running) {
            return;
        }
        if (left <= 0) {
            log.accept("the lease has expired: all runs are stopped");
            for (ProcessRun run : runs.all()) {
                runs.stop(
                        run.spec().id(),
                        "the lease of the node has expired",
                        run.spec().graceSeconds());
            }
        } else if (terms != null && left < (1 - WARN_AT) * terms.ttlSeconds()) {
            if (!warned) {
                log.accept("warning: the lease expires in %.0f s; then all runs are stopped".formatted(left));
            }
            warned = true;
        } else {
            warned = false;
        }
    }

    /** Returns the observed runs. One with an undelivered progress report or with replicas does not count as ended. */
    private List<LocalRun> observeRuns() throws InterruptedException {
        List<LocalRun> observed = new ArrayList<>();
        for (ProcessRun run : runs.all()) {
            boolean delivered = uploader.upload(run);
            observed.add(
                    LocalRuns.of(run, delivered && replicas.haveEnded(run.spec().id())));
        }
        return observed;
    }

    /** Returns the desired state, updated by the transitions that were reported since it was read. */
    private List<Assignment> mergeReported(long registrationEpoch, Assignments desired) {
        if (reportedEpoch != registrationEpoch) {
            reported.clear();
            reportedEpoch = registrationEpoch;
        }
        Set<String> listed = new HashSet<>();
        List<Assignment> merged = new ArrayList<>();
        for (Assignment assignment : desired.assignments()) {
            listed.add(assignment.assignmentId());
            Assignment before = reported.get(assignment.assignmentId());
            if (before != null && before.seq() > assignment.seq()) {
                merged.add(assignment
                        .with(before.state(), assignment.desired(), before.seq())
                        .withRescaleDone(doneIn(before))
                        .withWarmUp(assignment.warmUp() && before.warmUp()));
            } else {
                merged.add(assignment);
            }
        }
        reported.keySet().retainAll(listed);
        return merged;
    }

    private static Assignment.@Nullable Rescale doneIn(Assignment before) {
        Assignment.Rescale change = before.rescale();
        return change != null && change.done() ? change : null;
    }

    private void carryOut(ReconcileAction action, ServiceSession.Terms terms) throws InterruptedException {
        if (action instanceof ReconcileAction.Stop stop) {
            log.accept("stopping %s: %s".formatted(stop.run(), stop.reason()));
            runs.stop(stop.run(), stop.reason(), Math.min(stop.graceSeconds(), terms.longestGraceSeconds()));
        } else if (action instanceof ReconcileAction.Discard forget) {
            if (logs.isDelivered(forget.run())) {
                runs.forget(forget.run());
                rankChanges.forget(forget.run());
                uploader.forget(forget.run());
                logs.forget(forget.run());
            }
        } else if (action instanceof ReconcileAction.ReportState transition) {
            String id = transition.assignment().assignmentId();
            var detailed = runs.find(id)
                    .flatMap(ProcessRun::foreignFailure)
                    .map(failure -> transition.withDetail(failure.cause()))
                    .orElse(transition);
            reporting.report(terms.registrationEpoch(), detailed).ifPresent(now -> reported.put(id, now));
        } else if (action instanceof ReconcileAction.ReportWarmUp warmUp) {
            reportWarmUp(warmUp, terms);
        } else if (action instanceof ReconcileAction.ReportRescaled rescaled) {
            reportRescaled(rescaled.assignment(), rescaled.change(), terms);
        } else if (action instanceof ReconcileAction.WarmUp warmUp) {
            warmUp(warmUp.assignment(), terms);
        } else if (action instanceof ReconcileAction.Start start) {
            start(start.assignment(), terms);
        }
    }

    private void warmUp(Assignment assignment, ServiceSession.Terms terms) throws InterruptedException {
        try {
            runs.warmUp(spec(assignment, terms));
            log.accept(
                    "%s warms up on %s".formatted(assignment.assignmentId(), String.join(", ", assignment.devices())));
        } catch (IOException e) {
            log.accept("%s failed to warm up: %s".formatted(assignment.assignmentId(), ErrorMessages.of(e)));
            if (runs.find(assignment.assignmentId()).isEmpty()) {
                reportWarmUp(new ReconcileAction.ReportWarmUp(assignment, false), terms);
            }
        }
    }

    private void reportWarmUp(ReconcileAction.ReportWarmUp step, ServiceSession.Terms terms)
            throws InterruptedException {
        reporting
                .reportWarmUp(terms.registrationEpoch(), step)
                .ifPresent(now -> reported.put(now.assignmentId(), now.withWarmUp(false)));
    }

    private boolean isGranted(Assignment assignment, ServiceSession.Terms terms) throws InterruptedException {
        var leave = reporting.askToStart(terms.registrationEpoch(), assignment);
        if (leave.isEmpty()) {
            return false;
        }
        reported.put(assignment.assignmentId(), leave.get());
        return leave.get().desired() != Assignment.Desired.STOP
                && leave.get().state() == AssignmentPhase.STARTING
                && lease.secondsLeft() > 0;
    }

    private void start(Assignment assignment, ServiceSession.Terms terms) throws InterruptedException {
        // a grant that was stored may not have reached the processes that wait for it
        if (!assignment.state().isHolding() && !isGranted(assignment, terms)) {
            return;
        }
        Optional<ProcessRun> waiting = runs.find(assignment.assignmentId());
        if (waiting.isPresent()) {
            waiting.get().begin(JSON.writeValueAsString(Environment.atStart(assignment, node)));
            log.accept("%s has started".formatted(assignment.assignmentId()));
            return;
        }
        try {
            String places =
                    assignment.aggregators().isEmpty() ? null : ShardLocationsFile.json(assignment.aggregators());
            RunSpec spec = spec(assignment, terms);
            String checkpoints = spec.processes().get(0).environment().get(AdaptDl.CHECKPOINTS);
            RunSpec.Owner owner = spec.owner();
            if (checkpoints != null && owner != null) {
                owner.user().createFolders(checkpoints);
            } else if (checkpoints != null) {
                Files.createDirectories(Path.of(checkpoints));
            }
            runs.start(spec, new ProcessRuns.InitialFiles(places, null, null));
            log.accept("%s has started on %s"
                    .formatted(assignment.assignmentId(), String.join(", ", assignment.devices())));
        } catch (IOException e) {
            log.accept("%s failed to start: %s".formatted(assignment.assignmentId(), ErrorMessages.of(e)));
            reportFailedStart(assignment, ErrorMessages.of(e), terms);
        }
    }

    private RunSpec spec(Assignment assignment, ServiceSession.Terms terms) throws IOException {
        RunSpec.Owner owner = users.prepare(assignment.tenant());
        return Environment.of(assignment, node, terms.longestGraceSeconds()).ownedBy(owner);
    }

    /** Reports why an assignment has no run. If this fails, the reconciler reports the failure without the cause. */
    private void reportFailedStart(Assignment assignment, String cause, ServiceSession.Terms terms)
            throws InterruptedException {
        String id = assignment.assignmentId();
        if (runs.find(id).isEmpty()) {
            var failure = new ReconcileAction.ReportState(
                    reported.getOrDefault(id, assignment), AssignmentPhase.FAILED, OptionalInt.empty(), false, cause);
            reporting.report(terms.registrationEpoch(), failure).ifPresent(now -> reported.put(id, now));
        }
    }
}
