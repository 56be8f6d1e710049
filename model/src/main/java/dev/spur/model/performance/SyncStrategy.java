package dev.spur.model.performance;

/** How the workers of a job combine their gradients. */
public enum SyncStrategy {
    /** Among themselves; needs no aggregation slot. */
    ALL_REDUCE,
    /** Through aggregators, which need aggregation slots. */
    PARAMETER_SERVER
}
