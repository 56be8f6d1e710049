package dev.spur.simulator.audit;

/** Causes of regret, in the order in which an audit removes them. Each replay also lacks all earlier causes. */
public enum RegretCause {
    /** Speeds are predicted: replaced by the true ones. */
    PREDICTIONS,
    /** Changes of running jobs cost time: restarts become free. First starts keep their cost. */
    RESTARTS,
    /** Tenants have quotas, and groups have limits: removed. */
    QUOTAS,
    /** Rounds end within a gap or a budget: the gap target becomes 0 and the work limit four times as large. */
    OPTIMALITY_GAP,
    /** The objective: replaced by the one with the lowest mean completion time, if that is lower. */
    OBJECTIVE
}
