package dev.spur.solver.pricing;

/** The ways to cut one node into pieces of some kinds. */
interface PatternOracle {
    /** By kind the pieces of the way that earns most, where a piece of kind k earns {@code earned[k]}, at least 0. */
    int[] best(double[] earned);
}
