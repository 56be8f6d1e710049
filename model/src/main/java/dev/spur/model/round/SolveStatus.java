package dev.spur.model.round;

/** Termination status of the solver. */
public enum SolveStatus {
    /** The plan is proved optimal, up to the rounding that the bound includes. */
    OPTIMAL,
    /** The optimality gap is at most the gap target. */
    GAP_LIMIT,
    /** The work budget was spent, or more work no longer improved the plan; the plan is published with its gap. */
    WORK_LIMIT,
    /** The wall-clock limit ended the solve; the same round may end with another plan next time. */
    TIME_LIMIT,
    /** The solve failed; the plan is the last one, repaired for the current state. */
    FALLBACK
}
