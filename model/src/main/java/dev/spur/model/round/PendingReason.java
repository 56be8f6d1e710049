package dev.spur.model.round;

/** Why a job waits, for programs. Order is precedence: the first that holds is the one named. */
public enum PendingReason {
    /** The owner or an operator holds it back. */
    HELD,
    /** Its executors failed it, and it pauses before it is started again. */
    BACKOFF,
    /** Preparations of its data are not done. */
    DEPENDENCY,
    /** No round has seen it yet. */
    NOT_EVALUATED,
    /** No pool and accelerator type of the cluster is one that it allows and has a profile for. */
    NO_MATCHING_NODES,
    /** Its smallest batch does not fit the memory of the devices that it may use. */
    BATCH_EXCEEDS_GPU_MEMORY,
    /** Even on the whole cluster, empty, no configuration fits. */
    UNSATISFIABLE,
    /** What would hold it is on nodes that drain or are cordoned. */
    NODES_UNAVAILABLE,
    /** What would hold it is reserved for others, or kept for a job that has waited longer. */
    RESERVED,
    /** Its tenant's quota leaves too little. */
    QUOTA_EXCEEDED,
    /** The cap of its group leaves too little. */
    GROUP_LIMIT,
    /** Enough aggregation slots are not free. */
    INSUFFICIENT_AGGREGATION_SLOTS,
    /** Host CPU or memory beside free slots is too little. */
    INSUFFICIENT_HOST_RESOURCES,
    /** No node that could hold what it prepares has enough host memory to spare. */
    INSUFFICIENT_LOCAL_MEMORY,
    /** A node could hold the least part of its working set, but others lend too little for the rest. */
    INSUFFICIENT_REMOTE_MEMORY,
    /** Enough slots are free, but not on nodes that would hold the gang. */
    FRAGMENTATION,
    /** Jobs that may not be touched now hold what it needs. */
    HOLDERS_PROTECTED,
    /** The operator's limit of restarts per round keeps others where they are. */
    RESTART_LIMIT,
    /** Jobs that are worth more per slot hold what it needs. */
    LOWER_PRIORITY,
    /** Other jobs hold what it needs and are worth about as much; its turn comes with its wait. */
    FAIR_SHARE,
    /** It would fit, but starting it would gain less than the restarts it forces. */
    NOT_WORTH_RESTARTS,
    /** A plan by which it would start waits for the approval of an operator. */
    AWAITING_APPROVAL,
    /** Devices planned for it are still being released. */
    AWAITING_RELEASE,
    /** No slot that it may use is free. */
    CAPACITY
}
