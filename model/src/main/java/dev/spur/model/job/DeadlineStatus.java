package dev.spur.model.job;

/** The status of a job's deadline. */
public enum DeadlineStatus {
    /** The job has no deadline. */
    NONE,
    /** The job has a deadline that no round has evaluated yet. */
    PENDING,
    /** The deadline is guaranteed: a constraint of every round. */
    GUARANTEED,
    /** The deadline cannot be met in addition to the earlier guarantees; the job runs as if it had none. */
    AT_RISK
}
