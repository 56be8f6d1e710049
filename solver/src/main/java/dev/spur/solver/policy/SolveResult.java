package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.ShadowPrice;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.Solution;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What a round has settled on.
 *
 * @param placement where the jobs sit
 * @param solved true if a method chose them, false if the fallback without a solver did
 * @param end how the method ended
 * @param bestBound no plan is worth more
 * @param rows constraints that couple jobs
 * @param prices by resource name; empty if none were computed
 * @param shadowPrices prices of what people know, without words; empty if none were computed
 * @param memory prices by name for the next round to start from
 */
record SolveResult(
        PlacementResult placement,
        boolean solved,
        Solution.End end,
        double bestBound,
        int rows,
        Map<String, Double> prices,
        List<ShadowPrice> shadowPrices,
        Map<String, Double> memory) {
    SolveResult {
        prices = Map.copyOf(prices);
        shadowPrices = List.copyOf(shadowPrices);
        memory = Map.copyOf(memory);
    }

    /** This outcome, or the plan that needed no solver if that is worth more and meets all that is owed. */
    SolveResult orFallback(CandidateSet candidates, List<Obligation> owed, PartialPlacement filled) {
        boolean meetsAll = owed.stream()
                .allMatch(obligation -> obligation.candidates().contains(filled.choice()[obligation.job()]));
        double hoped = Arrays.stream(filled.choice())
                .filter(c -> c >= 0)
                .mapToDouble(c -> candidates.get(c).utility())
                .sum();
        // placing it anew can take long, and is of no use where it is worth less
        if (!meetsAll || hoped <= objectiveValue(candidates, placement)) {
            return this;
        }
        PlacementResult fallback = Placer.place(candidates, filled);
        return objectiveValue(candidates, fallback) > objectiveValue(candidates, placement)
                ? new SolveResult(fallback, false, end, bestBound, rows, prices, shadowPrices, memory)
                : this;
    }

    /** True if every job to which something is owed runs as one of the candidates that meet it. */
    boolean meets(CandidateSet candidates, List<Obligation> owed) {
        return owed.stream().allMatch(obligation -> {
            Allocation given = placement.allocations().get(obligation.job());
            return given != null
                    && obligation.candidates().stream()
                            .anyMatch(c -> candidates.get(c).configuration().equals(given.configuration()));
        });
    }

    private static double objectiveValue(CandidateSet candidates, PlacementResult placement) {
        PlacedObjective valuation = new PlacedObjective(candidates.problem());
        return placement.allocations().entrySet().stream()
                .mapToDouble(entry -> valuation.utility(candidates.job(entry.getKey()), entry.getValue()))
                .sum();
    }
}
