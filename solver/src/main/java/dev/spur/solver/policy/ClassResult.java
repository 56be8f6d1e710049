package dev.spur.solver.policy;

import dev.spur.model.round.SearchSummary;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.resource.DualPrice;
import dev.spur.solver.resource.ResourceKey;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.SolveResult;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds, prices and termination of the stages of a solve by classes. A resource has the price of the lowest class for
 * which it is scarce.
 */
final class ClassResult {
    private final Map<Integer, Double> bounds = new HashMap<>();
    private final Map<ResourceKey, Double> prices = new HashMap<>();
    private final Map<ResourceKey.Reported, DualPrice> shadowPrices = new LinkedHashMap<>();
    private Solution.End end = Solution.End.OPTIMAL;
    private boolean isSolved = true;
    private int rows;
    private SearchSummary search = SearchSummary.REPAIRED;

    /** Sets the bound on the value of the class {@code priority}. */
    void bound(int priority, double bound) {
        bounds.put(priority, bound);
    }

    /**
     * Adds the solve of a stage.
     *
     * @param lower price up to which a resource is scarce for lower classes only
     */
    void add(SolveResult result, double lower) {
        result.prices().forEach((key, price) -> prices.merge(key, price, (old, own) -> own > lower ? own : old));
        for (DualPrice own : result.shadowPrices()) {
            shadowPrices.merge(
                    own.reported(),
                    own.price() > lower ? own : new DualPrice(own.reported(), 0, own.available()),
                    (old, next) ->
                            next.price() > 0 ? next : new DualPrice(next.reported(), old.price(), next.available()));
        }
        end = result.end().compareTo(end) > 0 ? result.end() : end;
        isSolved &= result.solved();
        rows = Math.max(rows, result.rows());
        search = search.and(result.search());
    }

    /** Returns the result with the placement of the last stage. */
    SolveResult of(PlacementResult placement) {
        return new SolveResult(
                placement,
                isSolved,
                end,
                bounds.values().stream().mapToDouble(bound -> bound).sum(),
                rows,
                prices,
                List.copyOf(shadowPrices.values()),
                search,
                bounds);
    }
}
