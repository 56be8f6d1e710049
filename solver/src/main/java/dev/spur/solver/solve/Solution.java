package dev.spur.solver.solve;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How a solve of a program ended. */
public final class Solution {
    /** Why the solver stopped. */
    public enum End {
        /** The choice is proved to be the best. */
        OPTIMAL,
        /** The gap target was reached. */
        GAP_REACHED,
        /** The work budget was spent. */
        BUDGET_SPENT,
        /** The clock ran out. */
        CLOCK_CUT,
        /** It is proved that there is no choice. */
        INFEASIBLE
    }

    private final End end;
    private final int @Nullable [] choice;
    private final double bestBound;
    private final double work;

    Solution(End end, int @Nullable [] choice, double bound, double work) {
        this.end = end;
        this.choice = choice;
        this.bestBound = bound;
        this.work = work;
    }

    public End end() {
        return end;
    }

    /** The candidate of each job, -1 for waiting; null if no choice was found. */
    public int @Nullable [] choice() {
        return choice == null ? null : Arrays.copyOf(choice, choice.length);
    }

    /** No choice is worth more, rounding included; positive infinity if nothing is known. */
    public double bestBound() {
        return bestBound;
    }

    /** Deterministic work units spent. */
    public double work() {
        return work;
    }
}
