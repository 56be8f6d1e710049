package dev.spur.solver.policy;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.StepTimer;
import java.util.List;

/** A way to find the plan of a round that is worth most, and to prove how good it is. */
interface Solver {
    /**
     * The best plan found within {@code effort}.
     *
     * @param owed obligations that hold together; every plan meets them
     * @param filled a plan that needs no solver, to start from and to fall back on
     */
    SolveResult solve(
            CandidateSet candidates,
            List<Obligation> owed,
            PartialPlacement filled,
            RemainingBudget effort,
            StepTimer steps);
}
