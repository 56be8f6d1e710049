package dev.spur.solver.pricing;

/** Nodes of which the same is left: at prices of pieces, each is cut in the way that earns most. */
final class EqualNodes implements Block {
    private static final int[] NO_JOBS = {};

    private final int count;
    private final int[] rowOfKind;
    private final Cuts cuts;

    /**
     * @param count number of nodes
     * @param rowOfKind by kind of piece the row in which pieces of it are counted
     * @param cuts ways to cut one node
     */
    EqualNodes(int count, int[] rowOfKind, Cuts cuts) {
        this.count = count;
        this.rowOfKind = rowOfKind;
        this.cuts = cuts;
    }

    @Override
    public Answer answer(double[] prices, int care) {
        double[] earned = earned(prices);
        int[] best = cuts.best(earned);
        double[] use = new double[prices.length];
        double most = 0;
        for (int k = 0; k < best.length; k++) {
            use[rowOfKind[k]] -= (double) count * best[k];
            most += best[k] * earned[k];
        }
        return Answer.of(count * most, 0, use, NO_JOBS);
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
    public void settle(Settled settled) {
        // nodes have no jobs of their own
    }
}
