package dev.spur.solver.policy;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.SolveResult;
import dev.spur.solver.solve.StepTimer;
import java.util.List;
import java.util.Map;

/** Greedy construction heuristic without a solver: it proves nothing, and meets hard commitments only by chance. */
final class GreedySolver implements Solver {
    @Override
    public SolveResult solve(
            CandidateSet candidates,
            List<Obligation> commitments,
            PartialPlacement filled,
            RemainingBudget effort,
            StepTimer steps) {
        PlacementResult placement = steps.time("placement", () -> Placer.place(candidates, filled));
        return new SolveResult(
                placement, false, Solution.End.WORK_LIMIT, Double.POSITIVE_INFINITY, 0, Map.of(), List.of(), Map.of());
    }
}
