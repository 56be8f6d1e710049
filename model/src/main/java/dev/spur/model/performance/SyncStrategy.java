package dev.spur.model.performance;

/** How the workers of a job synchronize their gradients. */
public enum SyncStrategy {
    /** Workers exchange gradients directly; requires no aggregation slot. */
    ALL_REDUCE,
    /** Aggregators sum the gradients; requires aggregation slots. */
    PARAMETER_SERVER
}
