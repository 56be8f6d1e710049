package dev.spur.model.round;

/** How a solve ended. */
public enum SolveStatus {
    /** The plan is proved to be the best, up to the rounding that the bound includes. */
    OPTIMAL,
    /** The gap target was reached. */
    GAP_REACHED,
    /** The work budget was spent, or more work no longer improved the plan; it stands with the gap stated. */
    BUDGET_SPENT,
    /** The clock cut the solve; the same round may end at another plan next time. */
    CLOCK_CUT,
    /** The solve failed; the plan is the last one, repaired for what has changed. */
    REPAIRED
}
