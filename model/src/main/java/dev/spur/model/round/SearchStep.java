package dev.spur.model.round;

/** Step of a solve that finds plans, in the order in which the steps run. */
public enum SearchStep {
    /** Greedy: the last plan, repaired for the current state and filled. */
    REPAIR,
    /** Rounding of the dual solution. */
    ROUNDING,
    /** Simulated annealing. */
    ANNEALING,
    /** Neighborhoods of a few jobs, each decided by CP-SAT. */
    NEIGHBORHOODS,
    /** The jobs that the bound leaves open, decided together by CP-SAT. */
    CORE
}
