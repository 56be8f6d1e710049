package dev.spur.solver.pricing;

/** A part of the relaxation that decides by itself what it gains most from at given prices. One call at a time. */
interface Subproblem {
    /**
     * The best answer to {@code prices}, one per row, each at least 0.
     *
     * @param care how much to spend on it, where that is a choice; states that a search may keep
     */
    Column answer(double[] prices, int care);

    /** The jobs that it decides; none for nodes. Not to be changed. */
    int[] jobs();

    /** Writes what the last answer means for single jobs and quotas. */
    void settle(DualDecisions settled);
}
