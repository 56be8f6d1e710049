package dev.spur.solver.relaxation;

import java.util.Map;
import java.util.stream.IntStream;

/** Start prices of column generation, by row. */
public final class WarmStartDuals {
    private WarmStartDuals() {}

    /** Returns the price by name of the resource; 0 for rows without one. */
    static double[] byRow(CouplingConstraints constraints, Map<String, Double> named) {
        return constraints.rows().stream()
                .mapToDouble(row -> named.getOrDefault(row.key().toString(), 0.0))
                .toArray();
    }

    /**
     * Returns the start prices of the first search: those of the last round, or 0 if that gives a lower Lagrangian
     * bound.
     *
     * <p>The last round may have had another cluster. The search has only one start, because columns of a second start
     * would also enter the master and mislead it.
     */
    public static double[] startPrices(CouplingConstraints constraints, Map<String, Double> named) {
        double[] warm = byRow(constraints, named);
        double[] cold = new double[warm.length];
        return lagrangian(constraints, warm) <= lagrangian(constraints, cold) ? warm : cold;
    }

    /**
     * Returns the Lagrangian bound: value of the capacities and of the nodes, plus the maximum reduced cost of each
     * single job; NaN if a price is NaN.
     */
    private static double lagrangian(CouplingConstraints constraints, double[] prices) {
        double value = IntStream.range(0, constraints.jobs())
                .map(j -> constraints.best(j, prices))
                .filter(c -> c >= 0)
                .mapToDouble(c -> constraints.reducedWorth(c, prices))
                .sum();
        for (int r = 0; r < prices.length; r++) {
            value += prices[r] * constraints.rows().get(r).capacity();
        }
        return value
                + constraints.patternCapacity().blocks().stream()
                        .mapToDouble(subproblem -> subproblem.solve(prices, 1).bound())
                        .sum();
    }
}
