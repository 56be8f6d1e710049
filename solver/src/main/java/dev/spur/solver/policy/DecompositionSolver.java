package dev.spur.solver.policy;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.pricing.Decomposition;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.SolveResult;
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
        return Decomposition.solve(candidates, commitments, filled, effort, steps)
                .orFallback(candidates, commitments, filled);
    }
}
