package dev.spur.solver.relaxation;

import dev.spur.solver.resource.ResourceKey;
import java.util.HashMap;
import java.util.Map;

/** Dual solution: a price for each row, and the bounds at these prices. */
public final class DualSolution {
    private final double[] shared;
    private final DualDecisions decisions;
    private final int[] rounded;
    private final double decisionsBound;
    private final double bound;
    private final double mixture;
    private final int passes;
    private final ReducedCosts reducedCosts;

    /**
     * @param shared price of a unit by row; 0 for quotas that subproblems enforce
     * @param decisions decisions of the subproblems at these prices
     * @param rounded candidate by job, -1 for waiting, from the rounded convex combination of the master
     * @param decisionsBound bound of these decisions
     * @param bound dual bound: upper bound on the objective value of every plan
     * @param mixture objective value of the master; the optimum of the relaxation is between it and {@code bound}
     * @param passes number of passes over all subproblems
     * @param reducedCosts losses of jobs against their maximum reduced cost, at the prices of all rows
     */
    DualSolution(
            double[] shared,
            DualDecisions decisions,
            int[] rounded,
            double decisionsBound,
            double bound,
            double mixture,
            int passes,
            ReducedCosts reducedCosts) {
        this.reducedCosts = reducedCosts;
        this.rounded = rounded;
        this.shared = shared;
        this.decisions = decisions;
        this.decisionsBound = decisionsBound;
        this.bound = bound;
        this.mixture = mixture;
        this.passes = passes;
    }

    /** Returns the prices by row, 0 for quotas that subproblems enforce. Not to be modified. */
    public double[] sharedPrices() {
        return shared;
    }

    /** Returns the prices by row, including quotas that subproblems enforce. Not to be modified. */
    public double[] byRow() {
        return decisions.prices();
    }

    /** Returns the decisions of the subproblems at these prices. */
    public DualDecisions decisions() {
        return decisions;
    }

    /** Returns the candidate of each job, -1 for waiting, from the rounded convex combination. Not to be modified. */
    public int[] roundedChoice() {
        return rounded;
    }

    /** Returns the dual bound: an upper bound on the objective value of every plan. */
    public double bound() {
        return bound;
    }

    /** Returns the dual bound to which {@link #decisions} and {@link #byRow} add up. */
    public double decisionsBound() {
        return decisionsBound;
    }

    /** Returns the same prices and decisions; {@code other} is a valid bound of other prices, which counts if lower. */
    public DualSolution withBoundAtMost(double other) {
        return new DualSolution(
                shared, decisions, rounded, decisionsBound, Math.min(bound, other), mixture, passes, reducedCosts);
    }

    double mixture() {
        return mixture;
    }

    int passes() {
        return passes;
    }

    /** Returns the losses of jobs at {@link #byRow} against their maximum reduced cost. */
    public ReducedCosts reducedCosts() {
        return reducedCosts;
    }

    /** Returns the prices above 0. */
    public Map<ResourceKey, Double> byResource(CouplingConstraints constraints) {
        Map<ResourceKey, Double> prices = new HashMap<>();
        for (int r = 0; r < byRow().length; r++) {
            if (byRow()[r] > 0) {
                prices.put(constraints.rows().get(r).key(), byRow()[r]);
            }
        }
        return prices;
    }
}
