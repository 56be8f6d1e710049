package dev.spur.solver.solve;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.SearchStep;
import dev.spur.model.round.SearchSummary;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.resource.DualPrice;
import dev.spur.solver.resource.ResourceKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Result of the solve of a round.
 *
 * @param placement placement of the jobs
 * @param solved whether a solver found it; false for the greedy fallback
 * @param end termination status
 * @param bestBound dual bound on the objective value
 * @param rows number of coupling constraints
 * @param prices dual prices by resource, from which the next round starts; empty if none were computed
 * @param shadowPrices prices of the resources that the plan reports; empty if none were computed
 * @param search steps that decided it, with the source of its bound
 * @param classBounds dual bound by priority class, if the classes were solved one by one; empty otherwise
 */
public record SolveResult(
        PlacementResult placement,
        boolean solved,
        Solution.End end,
        double bestBound,
        int rows,
        Map<ResourceKey, Double> prices,
        List<DualPrice> shadowPrices,
        SearchSummary search,
        Map<Integer, Double> classBounds) {
    public SolveResult {
        classBounds = Map.copyOf(classBounds);
        prices = Map.copyOf(prices);
        shadowPrices = List.copyOf(shadowPrices);
    }

    /** A result of one solve of all jobs. */
    public SolveResult(
            PlacementResult placement,
            boolean solved,
            Solution.End end,
            double bestBound,
            int rows,
            Map<ResourceKey, Double> prices,
            List<DualPrice> shadowPrices,
            SearchSummary search) {
        this(placement, solved, end, bestBound, rows, prices, shadowPrices, search, Map.of());
    }

    /** Returns a result without a bound and without prices. */
    public static SolveResult withoutBound(PlacementResult placement, boolean solved) {
        return new SolveResult(
                placement,
                solved,
                Solution.End.WORK_LIMIT,
                Double.POSITIVE_INFINITY,
                0,
                Map.of(),
                List.of(),
                SearchSummary.REPAIRED);
    }

    /** Returns this result, or the greedy plan if that has a higher objective value and meets all commitments. */
    public SolveResult orFallback(
            CandidateSet candidates, List<Obligation> obligations, PartialPlacement filledPlacement) {
        boolean meetsAll = obligations.stream()
                .allMatch(obligation ->
                        obligation.candidates().contains(filledPlacement.choice()[obligation.job()]));
        double soft = Arrays.stream(filledPlacement.choice())
                .filter(c -> c >= 0)
                .mapToDouble(c -> candidates.get(c).utility())
                .sum();
        // Placing it again can take long, and is useless at a lower objective value.
        if (!meetsAll || soft <= objectiveValue(candidates)) {
            return this;
        }
        PlacementResult fallback = Placer.place(candidates, filledPlacement);
        return objectiveValue(candidates, fallback) > objectiveValue(candidates)
                ? new SolveResult(fallback, false, end, bestBound, rows, prices, shadowPrices, search)
                        .foundBy(SearchStep.REPAIR)
                : this;
    }

    /** Returns this result with another step that found its plan. */
    public SolveResult foundBy(SearchStep step) {
        return new SolveResult(
                placement, solved, end, bestBound, rows, prices, shadowPrices, search.foundBy(step), classBounds);
    }

    /** Returns whether every job with a commitment runs as one of the candidates that meet it. */
    public boolean meets(CandidateSet candidates, List<Obligation> obligations) {
        return met(candidates, obligations).size() == obligations.size();
    }

    /** Returns the commitments whose jobs run as one of the candidates that meet them. */
    public List<Obligation> met(CandidateSet candidates, List<Obligation> obligations) {
        return obligations.stream()
                .filter(obligation -> {
                    Allocation allocation = placement.allocations().get(obligation.job());
                    return allocation != null
                            && obligation.candidates().stream()
                                    .anyMatch(c ->
                                            candidates.get(c).configuration().includes(allocation.configuration()));
                })
                .toList();
    }

    /** Returns the objective value of the placed plan. */
    public double objectiveValue(CandidateSet candidates) {
        return objectiveValue(candidates, placement);
    }

    private static double objectiveValue(CandidateSet candidates, PlacementResult placement) {
        PlacedObjective objective = new PlacedObjective(candidates);
        return placement.allocations().entrySet().stream()
                .mapToDouble(entry -> objective.utility(candidates.job(entry.getKey()), entry.getValue()))
                .sum();
    }
}
