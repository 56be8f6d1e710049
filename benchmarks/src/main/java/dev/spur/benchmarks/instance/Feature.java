package dev.spur.benchmarks.instance;

/** Kind of constraint of a generated instance. Without any, only the slots of three types are scarce. */
public enum Feature {
    /** A third of the jobs can use parameter servers, and aggregation slots are scarce. */
    AGGREGATION,
    /** A quarter of the jobs need more CPU per slot, a fifth more memory per slot, than nodes have. */
    HOSTS,
    /**
     * Up to fifty tenants in five departments with quotas, borrowing limits and lending limits; the number of jobs per
     * tenant is skewed.
     */
    QUOTAS,
    /** Four fifths of the jobs hold the allocation of an earlier round. */
    RESTARTS,
    /** A round can stop, move or resize at most one job in ten. */
    RESTART_LIMIT,
    /** Some running jobs are within their minimum run time or not preemptible. */
    PROTECTED,
    /** One node in fifty is draining, one in a hundred is reserved for a tenant. */
    CLOSED_NODES,
    /**
     * A fifth of the jobs are trials of hyperparameter searches, each with a limit on its slots or on its running jobs.
     */
    GROUPS,
    /** Nodes of types A and B have 8, 8, 7, 6 or 4 slots in turn. No set contains it unless it is named. */
    UNEVEN,
    /**
     * Half of the jobs require one of 64 places, which are neighboring nodes. No set contains it unless it is named.
     */
    PLACES,
    /** Half of the jobs require one of 64 nodes by its name. No set contains it unless it is named. */
    NAMES,
    /** Half of the jobs have one of 64 requirements: eight of 64 places. No set contains it unless it is named. */
    OVERLAPS
}
