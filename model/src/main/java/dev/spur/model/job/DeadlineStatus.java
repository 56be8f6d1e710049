package dev.spur.model.job;

/** What was said about a job's deadline. */
public enum DeadlineStatus {
    /** It has no deadline. */
    NONE,
    /** It has a deadline and no round has looked at it yet. */
    PENDING,
    /** Its deadline will be kept: a constraint of every round. */
    GUARANTEED,
    /** Its deadline cannot be kept together with the promises made before; it runs as if it had none. */
    AT_RISK
}
