package dev.spur.solver.solve;

import dev.spur.solver.placement.PartialPlacement;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Result of a solve of a program. */
public final class Solution {
    /** Reason why the solver stopped. */
    public enum End {
        /** The choice is proved optimal. */
        OPTIMAL,
        /** The gap target was reached. */
        GAP_LIMIT,
        /** The work budget was spent. */
        WORK_LIMIT,
        /** The clock ran out. */
        TIME_LIMIT,
        /** The program is proved infeasible. */
        INFEASIBLE
    }

    private final End end;
    private final int @Nullable [] choice;
    private final PartialPlacement places;
    private final double bestBound;
    private final double work;

    /**
     * @param choice candidate of each job, -1 for waiting; null if none was found
     * @param bound dual bound, rounding included; positive infinity if nothing is known
     * @param work deterministic work units that each worker spent
     */
    public Solution(End end, int @Nullable [] choice, double bound, double work) {
        this(end, choice, PartialPlacement.withoutPlaces(new int[0]), bound, work);
    }

    /**
     * @param choice candidate of each job, -1 for waiting; null if none was found
     * @param places nodes and devices of jobs where devices are shared
     * @param bound dual bound, rounding included; positive infinity if nothing is known
     * @param work deterministic work units that each worker spent
     */
    public Solution(End end, int @Nullable [] choice, PartialPlacement places, double bound, double work) {
        this.end = end;
        this.choice = choice == null ? null : choice.clone();
        this.places = places;
        this.bestBound = bound;
        this.work = work;
    }

    public End end() {
        return end;
    }

    /** Returns the candidate of each job, -1 for waiting; null if no choice was found. */
    public int @Nullable [] choice() {
        return choice == null ? null : Arrays.copyOf(choice, choice.length);
    }

    /** Returns the nodes and devices of jobs on classes of nodes whose devices are shared; its choice is not used. */
    public PartialPlacement places() {
        return places;
    }

    /** Returns the dual bound, rounding included; positive infinity if nothing is known. */
    public double bestBound() {
        return bestBound;
    }

    /** Returns the deterministic work units that each worker spent. */
    public double work() {
        return work;
    }
}
