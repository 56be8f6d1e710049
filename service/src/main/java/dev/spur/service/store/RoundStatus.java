package dev.spur.service.store;

/** How far a round has got. */
public enum RoundStatus {
    /** Somebody asked for it; the planner takes it up next. */
    REQUESTED,
    /** It runs. */
    RUNNING,
    /** It published a plan. */
    PUBLISHED,
    /** Its plan is the current one. */
    UNCHANGED,
    /** It ended without a plan; the last one stands. */
    FAILED,
    /** Its replica stopped before it ended; the last plan stands. */
    ABANDONED,
    /** Its plan was not published, since another replica plans by now. */
    FENCED
}
