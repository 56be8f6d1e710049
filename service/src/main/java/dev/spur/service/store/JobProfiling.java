package dev.spur.service.store;

import dev.spur.model.Checks;
import dev.spur.model.job.ProfilingTarget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the measuring of a job is.
 *
 * @param budget slot-seconds that it may take
 * @param spent slot-seconds that it has taken
 * @param profilingTarget the shape in which the job is to be measured now; null between runs
 * @param cost slot-seconds that this is expected to take
 * @param wantedAt since when it is wanted; null between runs
 * @param over runs that are over, the oldest first
 * @param done true if no further run is worth what it costs
 */
public record JobProfiling(
        double budget,
        double spent,
        @Nullable ProfilingTarget profilingTarget,
        double cost,
        @Nullable Instant wantedAt,
        List<FinishedRun> over,
        boolean done) {
    /** Runs that are kept. */
    private static final int MOST = 100;

    /** How a run ended. */
    public enum End {
        /** The speed is known. */
        MEASURED,
        /** Others left it no room in time. */
        NOT_PLACED,
        /** It ran so, and no report came that told its speed. */
        NOT_REPORTED,
        /** The budget was used up. */
        OUT_OF_BUDGET
    }

    /** A run that is over. */
    public record FinishedRun(ProfilingTarget profilingTarget, End end) {}

    public JobProfiling {
        over = Checks.copy(over);
    }

    /** Of a job that was never measured. */
    public static JobProfiling allowed(double budget) {
        return new JobProfiling(budget, 0, null, 0, null, List.of(), false);
    }

    /** The runs that are over, this one being the last of them. */
    List<FinishedRun> overWith(ProfilingTarget ended, End end) {
        List<FinishedRun> all = new ArrayList<>(over);
        all.add(new FinishedRun(ended, end));
        return all.subList(Math.max(0, all.size() - MOST), all.size());
    }

    /** Slot-seconds that are left. */
    public double left() {
        return Math.max(0, budget - spent);
    }
}
