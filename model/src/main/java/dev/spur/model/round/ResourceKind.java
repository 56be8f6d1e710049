package dev.spur.model.round;

/** The kind of a priced resource. */
public enum ResourceKind {
    /** A slot of an accelerator type, as a part of a whole node. */
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
    /** A running job of a group. */
    GROUP_JOB,
    /** A job that is stopped, migrated or resized. */
    RESTART
}
