package dev.spur.service.jobs.learning;

import dev.spur.model.Checks;
import dev.spur.model.job.ProfilingTarget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Profiling state of a job.
 *
 * @param budget slot-seconds that profiling may use
 * @param spent slot-seconds that profiling has used
 * @param profilingTarget configuration to measure now; null between runs
 * @param cost expected slot-seconds of the current run
 * @param requestedAt time since which the run is requested; null between runs
 * @param over completed runs, the oldest first
 * @param done true if no further run is worth its cost
 */
public record JobProfiling(
        double budget,
        double spent,
        @Nullable ProfilingTarget profilingTarget,
        double cost,
        @Nullable Instant requestedAt,
        List<FinishedRun> over,
        boolean done) {
    /** Maximum number of completed runs that are stored. */
    private static final int MAX = 100;

    /** Outcome of a run. */
    public enum End {
        /** The speed was measured. */
        MEASURED,
        /** Other jobs left no room for the run in time. */
        NOT_PLACED,
        /** The job ran in the configuration, but no report contained its speed. */
        NOT_REPORTED,
        /** The budget was used up. */
        OUT_OF_BUDGET
    }

    /** Completed run. */
    public record FinishedRun(ProfilingTarget profilingTarget, End end) {}

    public JobProfiling {
        over = Checks.copy(over);
    }

    /** Returns the completed runs with this run as the last one. */
    List<FinishedRun> overWith(ProfilingTarget ended, End end) {
        List<FinishedRun> all = new ArrayList<>(over);
        all.add(new FinishedRun(ended, end));
        return all.subList(Math.max(0, all.size() - MAX), all.size());
    }

    /** Returns the slot-seconds that are left. */
    public double remainingBudget() {
        return Math.max(0, budget - spent);
    }
}
