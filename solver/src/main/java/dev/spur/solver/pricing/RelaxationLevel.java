package dev.spur.solver.pricing;

/** How exactly rows state what couples jobs: each kind proves more than those before it, and takes longer to price. */
enum RelaxationLevel {
    /** Of the nodes of a class only sums count, and every quota is a row. */
    SUMS,
    /** Nodes are cut by patterns; every quota is a row. */
    PATTERNS,
    /**
     * Nodes are cut by patterns, and the jobs of a tenant or group decide together within quotas and caps that bind
     * nobody else.
     */
    TENANTS
}
