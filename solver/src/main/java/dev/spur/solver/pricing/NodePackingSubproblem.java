package dev.spur.solver.pricing;

/** Nodes of which the same is left: at prices of pieces, each is cut in the way that earns most. */
final class NodePackingSubproblem implements Subproblem {
    private static final int[] NO_JOBS = {};

    private final int count;
    private final int[] rowOfKind;
    private final PatternOracle cuts;

    /**
     * @param count number of nodes
     * @param rowOfKind by kind of piece the row in which pieces of it are counted
     * @param cuts ways to cut one node
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

    /** What one of the nodes earns at most. */
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
        // nodes have no jobs of their own
    }
}
