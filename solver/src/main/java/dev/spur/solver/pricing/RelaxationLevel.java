package dev.spur.solver.pricing;

/** Level of detail of the coupling constraints, in ascending order of strength and of time per pass. */
enum RelaxationLevel {
    /** Packing patterns of nodes; every quota is a row. */
    PATTERNS,
    /**
     * Packing patterns of nodes; knapsack subproblems enforce quotas and caps that bind only jobs of one tenant or
     * group.
     */
    TENANTS
}
