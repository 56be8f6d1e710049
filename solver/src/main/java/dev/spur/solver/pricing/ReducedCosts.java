package dev.spur.solver.pricing;

import dev.spur.solver.candidate.ParallelLoop;

/** What candidates gain at prices, and how much less that is than what the best candidate of their job gains. */
final class ReducedCosts {
    private final CouplingConstraints rows;
    private final double[] prices;
    private final double[] best;

    /** @param prices by row, those of quotas included */
    ReducedCosts(CouplingConstraints rows, double[] prices) {
        this.rows = rows;
        this.prices = prices.clone();
        this.best = ParallelLoop.range(rows.jobs())
                .mapToDouble(j -> reduced(rows.best(j, prices)))
                .toArray();
    }

    /** Worth of candidate {@code c} less what it takes at the prices; 0 for waiting, which is -1. */
    double reduced(int c) {
        return c < 0 ? 0 : rows.reducedWorth(c, prices);
    }

    /** What job {@code j} gains at most. */
    double best(int j) {
        return best[j];
    }

    /** How much less job {@code j} gains by {@code c} than at most. */
    double of(int j, int c) {
        return best[j] - reduced(c);
    }
}
