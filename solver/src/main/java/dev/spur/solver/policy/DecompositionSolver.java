package dev.spur.solver.policy;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.pricing.Decomposition;
import dev.spur.solver.pricing.DecompositionResult;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.StepTimer;
import java.util.List;

/**
 * Decomposition: dual prices first, then a plan from them, then the integer program for the jobs that reduced costs
 * leave open.
 */
final class DecompositionSolver implements Solver {
    @Override
    public SolveResult solve(
            CandidateSet candidates,
            List<Obligation> commitments,
            PartialPlacement filled,
            RemainingBudget effort,
            StepTimer steps) {
        double gapTarget = candidates.problem().settings().gapTarget();
        DecompositionResult plan = Decomposition.solve(
                candidates, commitments, filled, candidates.problem().memory().duals(), gapTarget, effort, steps);
        SolveResult found = new SolveResult(
                plan.placement(),
                true,
                end(plan, gapTarget, effort),
                plan.bound(),
                plan.rows(),
                plan.prices(),
                plan.shadowPrices(),
                plan.memory());
        return found.orFallback(candidates, commitments, filled);
    }

    private static Solution.End end(DecompositionResult plan, double gapTarget, RemainingBudget effort) {
        if (plan.proved()) {
            return Solution.End.OPTIMAL;
        }
        if (plan.bound() - plan.worth() <= gapTarget * Math.abs(plan.bound())) {
            return Solution.End.GAP_LIMIT;
        }
        return effort.isClockCut() ? Solution.End.TIME_LIMIT : Solution.End.WORK_LIMIT;
    }
}
