package dev.spur.agent;

import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRun.ForeignFailure;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.reconcile.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Replicas of the roles of jobs on this node. Each is a run of one process under a guard. It starts after the ranks of
 * its job on this node, and stops when they stop or end.
 */
final class RoleReplicas {
    private static final Duration MIN_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(60);

    private final ProcessRuns replicas;
    private final ProcessRuns gangs;
    private final Environment.Node node;
    private final TenantUsers users;
    private final Consumer<String> log;
    /** By id of a replica that has failed. */
    private final Map<String, Retry> retries = new HashMap<>();

    /** Last failure of a replica, and the pause before its next start. */
    private record Retry(long failedNanos, Duration pause) {
        boolean isDue() {
            return System.nanoTime() - failedNanos >= pause.toNanos();
        }

        /** Returns the retry after one more failure: the pause doubles while failures follow each other. */
        Retry next() {
            long now = System.nanoTime();
            boolean isInARow = now - failedNanos < pause.plus(MAX_PAUSE).toNanos();
            Duration doubled = isInARow ? pause.multipliedBy(2) : MIN_PAUSE;
            return new Retry(now, doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE);
        }
    }

    /** A replica that an assignment requires. */
    private record Replica(Assignment assignment, Assignment.Replicas role, int index) {
        static List<Replica> of(Assignment assignment) {
            List<Replica> all = new ArrayList<>();
            for (Assignment.Replicas role : assignment.roles()) {
                role.indices().forEach(index -> all.add(new Replica(assignment, role, index)));
            }
            return all;
        }

        String id() {
            return "%s.%s-%d".formatted(assignment.assignmentId(), role.name(), index);
        }
    }

    /**
     * Manages the replicas, including running ones.
     *
     * @param replicas runs of replicas alone
     * @param gangs runs of ranks
     */
    RoleReplicas(
            ProcessRuns replicas, ProcessRuns gangs, Environment.Node node, TenantUsers users, Consumer<String> log) {
        this.replicas = replicas;
        this.gangs = gangs;
        this.node = node;
        this.users = users;
        this.log = log;
    }

    /** Observes the processes, and stops those whose ranks do not run. */
    void observe() {
        replicas.observe();
        replicas.all().stream()
                .filter(replica -> !isRunning(assignment(replica.spec().id())))
                .forEach(replica -> end(replica, "its ranks do not run"));
        retries.keySet().removeIf(id -> !isRunning(assignment(id)));
    }

    /** Returns true if no process of the roles of an assignment is left. */
    boolean haveEnded(String assignment) {
        return replicas.all().stream()
                .filter(replica -> assignment(replica.spec().id()).equals(assignment))
                .allMatch(replica -> replica.phase() == ProcessRun.Phase.ENDED);
    }

    /** Starts the replicas that are missing next to running ranks, and stops those that run on another node now. */
    void reconcile(List<Assignment> assignments, boolean mayStart, double longestGraceSeconds) {
        Set<String> listed = new HashSet<>();
        Set<String> desired = new HashSet<>();
        for (Assignment assignment : assignments) {
            listed.add(assignment.assignmentId());
            if (assignment.desired() == Assignment.Desired.RUN && isRunning(assignment.assignmentId())) {
                for (Replica replica : Replica.of(assignment)) {
                    desired.add(replica.id());
                    replicas.find(replica.id())
                            .ifPresentOrElse(
                                    run -> replace(replica, run), () -> start(replica, mayStart, longestGraceSeconds));
                }
            }
        }
        replicas.all().stream()
                .filter(run -> listed.contains(assignment(run.spec().id()))
                        && !desired.contains(run.spec().id()))
                .forEach(run -> end(run, "no longer required on this node"));
    }

    /** Takes the next step of a replica that is required and has ended. One that ended with code 0 is finished. */
    private void replace(Replica replica, ProcessRun run) {
        int code = run.exitCode().orElse(0);
        if (run.phase() != ProcessRun.Phase.ENDED || (code == 0 && !run.wasRequested())) {
            return;
        }
        Assignment.OnFailure onFailure =
                replica.assignment().command().onFailure(replica.role().name());
        if (run.wasRequested()) {
            replicas.forget(replica.id());
        } else if (onFailure == Assignment.OnFailure.RESTART) {
            Retry retry = retries.compute(replica.id(), (id, last) -> last == null ? firstRetry() : last.next());
            log.accept("%s failed with exit code %d, and starts again in %d s"
                    .formatted(replica.id(), code, retry.pause().toSeconds()));
            replicas.forget(replica.id());
        } else if (onFailure == Assignment.OnFailure.FAIL_JOB) {
            Path output = replicas.outputs(run).get(0).log();
            var failure = new ForeignFailure(
                    code,
                    "replica %d of role %s failed with exit code %d; its output is in %s on the node"
                            .formatted(replica.index(), replica.role().name(), code, output));
            gangs.find(replica.assignment().assignmentId()).ifPresent(gang -> gang.fail(failure));
        }
    }

    private static Retry firstRetry() {
        return new Retry(System.nanoTime(), MIN_PAUSE);
    }

    private void start(Replica replica, boolean mayStart, double longestGraceSeconds) {
        Retry retry = retries.get(replica.id());
        if (!mayStart || (retry != null && !retry.isDue())) {
            return;
        }
        try {
            RunSpec spec = Environment.replica(
                    replica.id(), replica.assignment(), node, replica.role(), replica.index(), longestGraceSeconds);
            replicas.start(spec.ownedBy(users.prepare(replica.assignment().tenant())));
            log.accept(replica.id() + " has started");
        } catch (IOException e) {
            log.accept("%s failed to start: %s".formatted(replica.id(), ErrorMessages.of(e)));
            retries.compute(replica.id(), (id, last) -> last == null ? firstRetry() : last.next());
        }
    }

    private void end(ProcessRun run, String reason) {
        String id = run.spec().id();
        if (run.phase() == ProcessRun.Phase.ENDED) {
            replicas.forget(id);
        } else if (run.phase() == ProcessRun.Phase.RUNNING) {
            log.accept("stopping %s: %s".formatted(id, reason));
            replicas.stop(id, reason, run.spec().graceSeconds());
        }
    }

    private boolean isRunning(String assignment) {
        return gangs.find(assignment)
                .filter(gang -> gang.phase() == ProcessRun.Phase.RUNNING && !gang.isWarming())
                .isPresent();
    }

    /** Returns the id of the assignment of a replica. */
    private static String assignment(String replica) {
        return replica.substring(0, replica.lastIndexOf('.'));
    }
}
