package dev.spur.model.objective;

/** What the operator wants of a plan; {@code Utility} states each as a formula. */
public enum ObjectiveKind {
    /** Most progress, each job's as a share of its total work. Source: Hu et al., arXiv 2109.03389. */
    PROGRESS,
    /** Most progress, each job's as a share of its remaining work: short jobs first, for a low mean completion time. */
    REMAINING_TIME,
    /** The largest shares of the jobs' fastest speeds, with diminishing returns: all remaining times fall fastest. */
    COMPLETION_TIME,
    /**
     * Most goodput with diminishing returns, each job's relative to its smallest configuration. Source: Sia, SOSP '23.
     */
    FAIR_GOODPUT,
    /** The jobs that have had least, without knowledge of their length. Source: Tiresias, NSDI '19. */
    LEAST_ATTAINED_SERVICE
}
