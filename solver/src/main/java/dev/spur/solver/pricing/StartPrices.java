package dev.spur.solver.pricing;

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
