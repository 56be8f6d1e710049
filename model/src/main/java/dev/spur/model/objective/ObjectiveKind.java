package dev.spur.model.objective;

/** The objective of a plan; {@code Utility} defines each as a formula. */
public enum ObjectiveKind {
    /** Maximizes progress, as a fraction of each job's total work. Source: Hu et al., arXiv 2109.03389. */
    PROGRESS,
    /**
     * Maximizes progress as a fraction of each job's remaining work: short jobs first, for a low mean completion time.
     */
    REMAINING_TIME,
    /**
     * Maximizes the jobs' shares of their maximum speeds with diminishing returns, to reduce all remaining times fast.
     */
    COMPLETION_TIME,
    /**
     * Maximizes goodput with diminishing returns, each job's relative to its smallest configuration. Source: Sia, SOSP
     * '23.
     */
    FAIR_GOODPUT,
    /**
     * Favors the jobs with the least attained service, without knowledge of their length. Source: Tiresias, NSDI '19.
     */
    LEAST_ATTAINED_SERVICE,
    /**
     * Maximizes the revenue of the jobs minus the cost of their resources: the profit of a provider. Source: Hu et al.,
     * arXiv 2109.03389.
     */
    PROFIT
}
