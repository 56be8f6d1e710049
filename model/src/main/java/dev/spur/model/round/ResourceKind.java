package dev.spur.model.round;

/** What a priced resource is. */
public enum ResourceKind {
    /** A slot of an accelerator type, as part of a whole node. */
    SLOT,
    /** An aggregation slot of a pool. */
    AGGREGATION_SLOT,
    /** A host CPU on nodes of an accelerator type. */
    HOST_CPU,
    /** A GiB of host memory on nodes of an accelerator type. */
    HOST_MEMORY_GIB,
    /** A slot of a tenant's quota. */
    QUOTA_SLOT,
    /** A slot of the cap of a group of jobs. */
    GROUP_SLOT,
    /** A job of a group that runs. */
    GROUP_JOB,
    /** A job that is stopped, moved or resized. */
    RESTART
}
