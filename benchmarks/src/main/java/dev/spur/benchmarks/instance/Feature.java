package dev.spur.benchmarks.instance;

/** A kind of constraint that a generated problem may have. Without any, only slots of three types bind. */
public enum Feature {
    /** A third of the jobs may use parameter servers, and aggregation slots are scarce. */
    AGGREGATION,
    /** A quarter of the jobs need more CPU per slot, a fifth more memory per slot, than nodes have. */
    HOSTS,
    /**
     * Up to fifty tenants in five departments, with quotas, borrowing and lending limits; some have many jobs, some
     * few.
     */
    QUOTAS,
    /** Four fifths of the jobs hold what an earlier round gave them. */
    RESTARTS,
    /** One round may stop, move or resize one job in ten at most. */
    RESTART_LIMIT,
    /** Some running jobs are inside their minimum run time, or not preemptible. */
    UNTOUCHABLE,
    /** One node in fifty has begun to drain, one in a hundred is now reserved for a tenant. */
    CLOSED_NODES,
    /**
     * A fifth of the jobs are trials of searches for hyperparameters, each with a cap on its slots or on its running
     * jobs.
     */
    GROUPS
}
