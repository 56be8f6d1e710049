package dev.spur.solver.policy;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.SolveResult;
import dev.spur.solver.solve.StepTimer;
import java.util.List;

/** Solver of a round: it finds a plan of maximum objective value, and a bound. */
@FunctionalInterface
public interface Solver {
    /**
     * Returns the best plan found within {@code budget}.
     *
     * @param obligations commitments that hold together; every plan meets them
     * @param filledPlacement greedy plan, as start and fallback
     */
    SolveResult solve(
            CandidateSet candidates,
            List<Obligation> obligations,
            PartialPlacement filledPlacement,
            RemainingBudget budget,
            StepTimer steps);
}
