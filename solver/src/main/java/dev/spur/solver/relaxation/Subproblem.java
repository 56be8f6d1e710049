package dev.spur.solver.relaxation;

/** Subproblem of the Lagrangian relaxation, which maximizes its reduced cost at given prices. Not thread-safe. */
interface Subproblem {
    /**
     * Solves the subproblem.
     *
     * @param prices price by row, at least 0
     * @param maxStates maximum number of states that an enumeration may keep
     * @return the best column found
     */
    Column solve(double[] prices, int maxStates);

    /** Returns its jobs; empty for nodes. Not to be modified. */
    int[] jobs();

    /** Writes the decisions of the last solution for its jobs and quotas. */
    void writeDecisions(DualDecisions decisions);
}
