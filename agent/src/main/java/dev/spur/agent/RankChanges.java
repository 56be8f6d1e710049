package dev.spur.agent;

import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.reconcile.Environment;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Changes of the ranks of running trainings: starts the ranks that join, and releases the devices of those that left.
 * The training itself changes over. A failure of any process fails the run, so that the job restarts from its
 * checkpoint.
 */
final class RankChanges {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** Time for a process that the previous agent has started to record itself. */
    private static final Duration START = Duration.ofSeconds(10);

    private final ProcessRuns runs;
    private final Environment.Node node;
    private final Consumer<String> log;
    /** Time at which each unfinished change was seen first, and that at which its training had adopted it. */
    private final Map<String, Long> seen = new HashMap<>();

    private final Map<String, Long> adopted = new HashMap<>();

    RankChanges(ProcessRuns runs, Environment.Node node, Consumer<String> log) {
        this.runs = runs;
        this.node = node;
        this.log = log;
    }

    /**
     * Takes the next step of the change of {@code assignment}.
     *
     * @return true if the change is complete, but the service does not know it
     */
    boolean step(ProcessRun run, Assignment assignment, boolean mayStart) {
        Assignment.Rescale change = assignment.rescale();
        if (change == null) {
            return false;
        }
        if (run.spec().changesStarted() < change.number()) {
            if (!change.done() && change.mayStart() && mayStart) {
                start(run, assignment, change);
            }
        } else if (run.spec().isRescaling()) {
            proceed(run, assignment, change);
        }
        return !change.done() && run.spec().changesDone() == change.number();
    }

    void forget(String run) {
        seen.remove(run);
        adopted.remove(run);
    }

    private void start(ProcessRun run, Assignment assignment, Assignment.Rescale change) {
        if (!runs.areFree(
                assignment.devices(), assignment.deviceShare(), run.spec().id())) {
            return;
        }
        Assignment.HostShare host = Objects.requireNonNullElse(assignment.host(), new Assignment.HostShare(0, 0));
        try {
            runs.rescale(
                    run,
                    change.number(),
                    assignment.devices(),
                    Environment.joining(assignment, node, change),
                    new RunSpec.Limits(host.cpus(), host.memoryGiB()));
            seen.put(run.spec().id(), System.nanoTime());
            log.accept("%s changes to %d ranks".formatted(run.spec().id(), assignment.worldSize()));
        } catch (IOException e) {
            log.accept("%s failed to change its ranks: %s".formatted(run.spec().id(), ErrorMessages.of(e)));
        }
    }

    private void proceed(ProcessRun run, Assignment assignment, Assignment.Rescale change) {
        String id = run.spec().id();
        long now = System.nanoTime();
        if (change.adopted() || adoptedChange(run) == change.number()) {
            long since = adopted.computeIfAbsent(id, key -> now);
            boolean late =
                    now - since > Duration.ofSeconds(run.spec().graceSeconds()).toNanos();
            if (assignment.devices().isEmpty()) {
                if (late) {
                    runs.stop(id, "its ranks have left", 0);
                }
            } else if (runs.completeRescale(run, assignment.devices(), late)) {
                forget(id);
                log.accept("%s has changed to %d ranks".formatted(id, assignment.worldSize()));
            }
            return;
        }
        long since = seen.computeIfAbsent(id, key -> now);
        runs.endAbandonedRanks(run, now - since > START.toNanos());
    }

    /** Returns true if the training has adopted a change that is not complete. */
    static boolean isAdopted(ProcessRun run) {
        return run.spec().isRescaling() && adoptedChange(run) == run.spec().changesStarted();
    }

    /** Returns the number of the last change that the training has adopted; 0 for none. */
    private static int adoptedChange(ProcessRun run) {
        try {
            return run.report()
                    .map(text -> JSON.readTree(text).path("rescale").asInt(0))
                    .orElse(0);
        } catch (JacksonException broken) {
            return 0;
        }
    }
}
