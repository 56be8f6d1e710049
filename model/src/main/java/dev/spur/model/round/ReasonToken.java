package dev.spur.model.round;

/** Why a job waits, for programs. Order is precedence: the first that holds is the one named. */
public enum ReasonToken {
    /** The owner or an operator holds it back. */
    HOLD,
    /** Its executors failed it, and it pauses before it is started again. */
    BACK_OFF,
    /** Preparations of its data are not done. */
    DATA,
    /** No round has seen it yet. */
    NOT_EVALUATED_YET,
    /** No pool and accelerator type of the cluster is one that it allows and has a profile for. */
    POOL_MISMATCH,
    /** Its smallest batch does not fit the memory of the devices that it may use. */
    GPU_MEMORY,
    /** Even on the whole cluster, empty, no configuration fits. */
    NEVER_FITS,
    /** What would hold it is on nodes that drain or are cordoned. */
    NODE_DRAINING,
    /** What would hold it is reserved for others, or kept for a job that has waited longer. */
    RESERVED,
    /** Its tenant's quota leaves too little. */
    QUOTA,
    /** The cap of its group leaves too little. */
    GROUP_LIMIT,
    /** Enough aggregation slots are not free. */
    AGGREGATOR_SLOTS,
    /** Host CPU or memory beside free slots is too little. */
    HOST_RESOURCES,
    /** No node that could hold what it prepares has enough host memory to spare. */
    MEMORY_LOCAL,
    /** A node could hold the least part of its working set, but others lend too little for the rest. */
    MEMORY_LENDERS,
    /** Enough slots are free, but not on nodes that would hold the gang. */
    GANG_TOO_LARGE_NOW,
    /** Jobs that may not be touched now hold what it needs. */
    MIN_RUNTIME_PROTECTION,
    /** The operator's limit of restarts per round keeps others where they are. */
    RESTART_LIMIT,
    /** Jobs that are worth more per slot hold what it needs. */
    LOWER_PRIORITY,
    /** Other jobs hold what it needs and are worth about as much; its turn comes with its wait. */
    FAIR_SHARE,
    /** It would fit, but starting it would gain less than the restarts it forces. */
    RESTART_COST_EXCEEDS_GAIN,
    /** A plan by which it would start waits for the approval of an operator. */
    APPROVAL,
    /** Devices planned for it are still being released. */
    WAITING_RELEASE,
    /** No slot that it may use is free. */
    CAPACITY
}
