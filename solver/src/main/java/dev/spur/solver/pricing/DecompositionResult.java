package dev.spur.solver.pricing;

import dev.spur.solver.constraint.DualPrice;
import dev.spur.solver.constraint.ResourceKey;
import dev.spur.solver.placement.PlacementResult;
import java.util.List;
import java.util.Map;

/**
 * Result of the decomposition: a plan with its dual bound.
 *
 * @param placement placement of the jobs
 * @param worth objective value of the plan
 * @param bound dual bound: upper bound on the objective value of every plan
 * @param proved whether the plan is proved optimal, up to rounding
 * @param prices by resource, the change of the dual bound per further unit
 * @param shadowPrices prices of the resources that the plan reports
 * @param memory prices by resource, from which the next round starts
 * @param rows number of coupling constraints
 */
public record DecompositionResult(
        PlacementResult placement,
        double worth,
        double bound,
        boolean proved,
        Map<ResourceKey, Double> prices,
        List<DualPrice> shadowPrices,
        Map<ResourceKey, Double> memory,
        int rows) {
    public DecompositionResult {
        prices = Map.copyOf(prices);
        shadowPrices = List.copyOf(shadowPrices);
        memory = Map.copyOf(memory);
    }
}
