package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.ParallelLoop;

/** Reduced costs of candidates at given prices, and their losses against the maximum of the job. */
public final class ReducedCosts {
    private final CouplingConstraints constraints;
    private final double[] prices;
    private final double[] best;

    /** @param prices prices by row, including those of quotas */
    ReducedCosts(CouplingConstraints constraints, double[] prices) {
        this.constraints = constraints;
        this.prices = prices.clone();
        this.best = ParallelLoop.range(constraints.jobs())
                .mapToDouble(j -> reducedCost(constraints.best(j, prices)))
                .toArray();
    }

    /** Returns the reduced cost of candidate {@code c}: utility minus price of its use; 0 for waiting, -1. */
    public double reducedCost(int c) {
        return c < 0 ? 0 : constraints.reducedWorth(c, prices);
    }

    /** Returns the maximum reduced cost of job {@code j}. */
    public double best(int j) {
        return best[j];
    }

    /** Returns the loss of job {@code j} by candidate {@code c} against its maximum reduced cost. */
    public double of(int j, int c) {
        return best[j] - reducedCost(c);
    }
}
