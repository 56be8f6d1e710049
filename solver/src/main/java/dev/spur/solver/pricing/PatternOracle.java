package dev.spur.solver.pricing;

/** Pricing of packing patterns of one node. */
interface PatternOracle {
    /**
     * Returns the pieces by kind of the pattern of maximum value, where a piece of kind k has the value
     * {@code earned[k]}, at least 0.
     */
    int[] best(double[] earned);
}
