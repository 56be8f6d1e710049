package dev.spur.service.plans;

/** Status of a round. */
public enum RoundStatus {
    /** The round was requested; the planner runs it next. */
    REQUESTED,
    /** The round is in progress. */
    RUNNING,
    /** The round has published a plan. */
    PUBLISHED,
    /** The round has confirmed the current plan. */
    UNCHANGED,
    /** The round has failed; the last plan remains current. */
    FAILED,
    /** The replica stopped before the round ended; the last plan remains current. */
    ABANDONED,
    /** The plan was not published, since another replica has taken the lease. */
    FENCED
}
