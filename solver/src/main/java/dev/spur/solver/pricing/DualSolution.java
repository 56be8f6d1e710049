package dev.spur.solver.pricing;

import java.util.Map;
import java.util.TreeMap;

/** A price for each row, and what the prices prove. */
final class DualSolution {
    private final double[] shared;
    private final DualDecisions settled;
    private final int[] rounded;
    private final double settledBound;
    private final double bound;
    private final double mixture;
    private final int passes;
    private final ReducedCosts jobLosses;

    /**
     * @param shared price of a unit of each row, by the row's index; 0 for quotas that are left to blocks
     * @param settled what the blocks decided there
     * @param rounded by job the candidate, or -1, to which the best mixture of the blocks' choices was rounded
     * @param settledBound what the answers that were settled prove
     * @param bound no plan is worth more
     * @param mixture worth of the best mixture of choices found; the exact relaxation lies between it and {@code bound}
     * @param passes how often all blocks decided at trial prices
     * @param jobLosses what jobs lose against their best choice, at the prices of all rows
     */
    DualSolution(
            double[] shared,
            DualDecisions settled,
            int[] rounded,
            double settledBound,
            double bound,
            double mixture,
            int passes,
            ReducedCosts jobLosses) {
        this.jobLosses = jobLosses;
        this.rounded = rounded;
        this.shared = shared;
        this.settled = settled;
        this.settledBound = settledBound;
        this.bound = bound;
        this.mixture = mixture;
        this.passes = passes;
    }

    /** The prices by the index of the row, 0 for quotas that are left to blocks; not to be changed. */
    double[] shared() {
        return shared;
    }

    /** The prices by the index of the row, quotas that are left to blocks included; not to be changed. */
    double[] byRow() {
        return settled.prices();
    }

    /** What the blocks decided at these prices. */
    DualDecisions settled() {
        return settled;
    }

    /** The candidate of each job, -1 for waiting, to which the best mixture was rounded; not to be changed. */
    int[] rounded() {
        return rounded;
    }

    /** No plan is worth more. */
    double bound() {
        return bound;
    }

    /** No plan is worth more; this is the bound that {@link #settled} and {@link #byRow} add up to. */
    double settledBound() {
        return settledBound;
    }

    double mixture() {
        return mixture;
    }

    int passes() {
        return passes;
    }

    /** What jobs lose at {@link #byRow} against their best choice. */
    ReducedCosts jobLosses() {
        return jobLosses;
    }

    /** The prices above 0 by resource name. */
    Map<String, Double> byName(CouplingConstraints rows) {
        Map<String, Double> named = new TreeMap<>();
        for (int r = 0; r < byRow().length; r++) {
            if (byRow()[r] > 0) {
                named.put(rows.rows().get(r).name(), byRow()[r]);
            }
        }
        return named;
    }
}
