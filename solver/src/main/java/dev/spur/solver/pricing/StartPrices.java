package dev.spur.solver.pricing;

import java.util.List;
import java.util.Map;

/** Prices for a search to begin with, by row. */
final class StartPrices {
    private StartPrices() {}

    /** The price of the same name in {@code named}, 0 elsewhere. */
    static double[] named(CouplingRows rows, Map<String, Double> named) {
        return rows.rows().stream()
                .mapToDouble(row -> named.getOrDefault(row.name(), 0.0))
                .toArray();
    }

    /** The starts of a round: prices of 0, and those that are remembered from the last round, if there are any. */
    static List<double[]> remembered(CouplingRows rows, Map<String, Double> named) {
        double[] cold = new double[rows.rows().size()];
        return named.isEmpty() ? List.of(cold) : List.of(named(rows, named), cold);
    }

    /** True if {@code named} has a price for some row of {@code fine} that only fine rows have: a kind of piece. */
    static boolean areKnown(CouplingRows fine, Map<String, Double> named) {
        return fine.rows().stream()
                .anyMatch(row -> row.name().startsWith(ClassPatterns.PIECES) && named.containsKey(row.name()));
    }

    /** What {@code prices} of {@code coarse} rows for the same round say of {@code fine} ones. */
    static double[] derived(CouplingRows fine, CouplingRows coarse, Prices prices) {
        double[] start = named(fine, prices.byName(coarse));
        fine.nodeRows().startFrom(coarse.nodeRows(), prices.byRow(), start);
        return start;
    }
}
