package dev.spur.solver.relaxation;

/** Column of the restricted master: the decision of a subproblem at given prices. */
public final class Column {
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
     * Returns the column of a decision.
     *
     * @param bound upper bound on the reduced cost (utility minus price of the use) of every decision of the subproblem
     * @param worth utility of the decision
     * @param use use by row, negative where the decision provides capacity
     * @param choice candidate by job of the subproblem, -1 for waiting; empty for nodes
     */
    static Column of(double bound, double worth, double[] use, int[] choice) {
        return new Column(bound, true, worth, use, choice);
    }

    /** Returns a column without a decision; no decision has a reduced cost above {@code bound}. */
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

    /**
     * Returns the reduced cost of the decision at {@code prices}, at most {@link #bound}; minus infinity without a
     * decision.
     */
    double gain(double[] prices) {
        double gain = found ? worth : Double.NEGATIVE_INFINITY;
        for (int r = 0; r < use.length; r++) {
            gain -= prices[r] * use[r];
        }
        return gain;
    }

    /** Returns the candidate by job of the subproblem, -1 for waiting; empty for nodes. Not to be modified. */
    int[] choice() {
        return choice;
    }

    /** Returns the use by row. Not to be modified. */
    double[] use() {
        return use;
    }
}
