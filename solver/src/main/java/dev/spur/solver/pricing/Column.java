package dev.spur.solver.pricing;

/** What a block decides at some prices. */
final class Column {
    private final double bound;
    private final boolean found;
    private final double worth;
    private final double[] use;
    private final int[] choice;

    private Column(double bound, boolean found, double worth, double[] use, int[] choice) {
        this.bound = bound;
        this.found = found;
        this.worth = worth;
        this.use = use;
        this.choice = choice;
    }

    /**
     * A decision.
     *
     * @param bound no decision of the block gains more at the prices, in worth less prices times use
     * @param worth worth of the decision
     * @param use by row: what the decision takes, negative where it provides
     * @param choice by job of the block its candidate, or -1; empty for nodes
     */
    static Column of(double bound, double worth, double[] use, int[] choice) {
        return new Column(bound, true, worth, use, choice);
    }

    /** No decision was found; none gains more than {@code bound}. */
    static Column nothing(double bound) {
        return new Column(bound, false, 0, new double[0], new int[0]);
    }

    double bound() {
        return bound;
    }

    boolean isFound() {
        return found;
    }

    double worth() {
        return worth;
    }

    /** What the decision found gains at {@code prices}, at most {@link #bound}; minus infinity if none was found. */
    double gain(double[] prices) {
        double gain = found ? worth : Double.NEGATIVE_INFINITY;
        for (int r = 0; r < use.length; r++) {
            gain -= prices[r] * use[r];
        }
        return gain;
    }

    /** By job of the block its candidate, or -1; empty for nodes. Not to be changed. */
    int[] choice() {
        return choice;
    }

    /** By row; not to be changed. */
    double[] use() {
        return use;
    }
}
