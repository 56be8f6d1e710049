package dev.spur.solver.relaxation;

/** Level of detail of the coupling constraints, in ascending order of strength and of time per pass. */
public enum RelaxationLevel {
    /** Packing patterns of nodes; every quota is a row. */
    PATTERNS,
    /**
     * Packing patterns of nodes; knapsack subproblems enforce quotas and caps that bind only jobs of one tenant or
     * group.
     */
    TENANTS
}
