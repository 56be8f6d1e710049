package dev.spur.solver.pricing;

/**
 * Subproblem of nodes with equal remaining capacity: at prices of pieces, each takes the packing pattern of maximum
 * value.
 */
final class NodePackingSubproblem implements Subproblem {
    private static final int[] NO_JOBS = {};

    private final int count;
    private final int[] rowOfKind;
    private final PatternOracle cuts;

    /**
     * @param count number of nodes
     * @param rowOfKind row by kind of piece
     * @param cuts packing patterns of one node
     */
    NodePackingSubproblem(int count, int[] rowOfKind, PatternOracle cuts) {
        this.count = count;
        this.rowOfKind = rowOfKind;
        this.cuts = cuts;
    }

    @Override
    public Column answer(double[] prices, int care) {
        double[] earned = earned(prices);
        int[] best = cuts.best(earned);
        double[] use = new double[prices.length];
        double most = 0;
        for (int k = 0; k < best.length; k++) {
            use[rowOfKind[k]] -= (double) count * best[k];
            most += best[k] * earned[k];
        }
        return Column.of(count * most, 0, use, NO_JOBS);
    }

    /** Returns the maximum value of a packing pattern of one node. */
    double mostPerNode(double[] prices) {
        return answer(prices, 1).bound() / count;
    }

    private double[] earned(double[] prices) {
        double[] earned = new double[rowOfKind.length];
        for (int k = 0; k < earned.length; k++) {
            earned[k] = prices[rowOfKind[k]];
        }
        return earned;
    }

    @Override
    public int[] jobs() {
        return NO_JOBS;
    }

    @Override
    public void settle(DualDecisions settled) {
        // Nodes have no jobs of their own.
    }
}
