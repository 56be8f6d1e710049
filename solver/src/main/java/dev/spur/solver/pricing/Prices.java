package dev.spur.solver.pricing;

import java.util.Map;
import java.util.TreeMap;

/** A price for each row, and what the prices prove. */
final class Prices {
    private final double[] byRow;
    private final double bound;
    private final double mixture;
    private final int passes;

    /**
     * @param byRow price of a unit of each row, by the row's index
     * @param bound no plan is worth more
     * @param mixture worth of the best mixture of choices found; the exact relaxation lies between it and {@code bound}
     * @param passes how often all jobs chose at trial prices
     */
    Prices(double[] byRow, double bound, double mixture, int passes) {
        this.byRow = byRow;
        this.bound = bound;
        this.mixture = mixture;
        this.passes = passes;
    }

    /** The prices by the index of the row; not to be changed. */
    double[] byRow() {
        return byRow;
    }

    double bound() {
        return bound;
    }

    double mixture() {
        return mixture;
    }

    int passes() {
        return passes;
    }

    /** The prices above 0 by resource name. */
    Map<String, Double> byName(CouplingRows rows) {
        Map<String, Double> named = new TreeMap<>();
        for (int r = 0; r < byRow.length; r++) {
            if (byRow[r] > 0) {
                named.put(rows.rows().get(r).name(), byRow[r]);
            }
        }
        return named;
    }
}
