package dev.spur.solver.pricing;

import java.util.Map;
import java.util.stream.IntStream;

/** Prices for a search to begin with, by row. */
final class WarmStartDuals {
    private WarmStartDuals() {}

    /** The price of the same name in {@code named}, 0 elsewhere. */
    static double[] named(CouplingConstraints rows, Map<String, Double> named) {
        return rows.rows().stream()
                .mapToDouble(row -> named.getOrDefault(row.name(), 0.0))
                .toArray();
    }

    /**
     * The start of the first search of a round: prices that are remembered from the last round, or prices of 0 if these
     * give a lower Lagrangian bound. Remembered prices may be from another cluster, or useless. Only one start is
     * searched from: answers to a second one would be columns of the master as well and lead it astray.
     */
    static double[] remembered(CouplingConstraints rows, Map<String, Double> named) {
        double[] warm = named(rows, named);
        double[] cold = new double[warm.length];
        return lagrangian(rows, warm) <= lagrangian(rows, cold) ? warm : cold;
    }

    /**
     * What all jobs gain at the prices, each by itself, and what the capacities are worth; not a number if prices are
     * not.
     */
    private static double lagrangian(CouplingConstraints rows, double[] prices) {
        double value = IntStream.range(0, rows.jobs())
                .map(j -> rows.best(j, prices))
                .filter(c -> c >= 0)
                .mapToDouble(c -> rows.reducedWorth(c, prices))
                .sum();
        for (int r = 0; r < prices.length; r++) {
            value += prices[r] * rows.rows().get(r).capacity();
        }
        return value;
    }

    /** True if {@code named} has a price for some row of {@code fine} that only fine rows have: a kind of piece. */
    static boolean areKnown(CouplingConstraints fine, Map<String, Double> named) {
        return fine.rows().stream()
                .anyMatch(row -> row.name().startsWith(NodeClassPatterns.PIECES) && named.containsKey(row.name()));
    }

    /** What {@code prices} of {@code coarse} rows for the same round say of {@code fine} ones. */
    static double[] derived(CouplingConstraints fine, CouplingConstraints coarse, DualSolution prices) {
        double[] start = named(fine, prices.byName(coarse));
        fine.nodeRows().startFrom(coarse.nodeRows(), prices.byRow(), start);
        return start;
    }
}
