package dev.spur.solver.relaxation;

/** Solution of the linear relaxation. */
public final class RelaxationSolution {
    private final double[] prices;
    private final DualSolution dual;

    /**
     * @param prices price by row of the coupling constraints, those of local quotas and caps included
     * @param dual the same with the decision of each single job
     */
    RelaxationSolution(double[] prices, DualSolution dual) {
        this.prices = prices;
        this.dual = dual;
    }

    /** Returns the price by row, those of local quotas and caps included. Not to be modified. */
    public double[] prices() {
        return prices;
    }

    /** Returns the prices with the decision of each single job, and the bound at these prices. */
    public DualSolution dual() {
        return dual;
    }

    public double bound() {
        return dual.bound();
    }
}
