package dev.spur.solver.policy;

import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.SolveResult;
import dev.spur.solver.solve.StepTimer;
import java.util.List;
import java.util.Map;

/** Solver of one stage of a solve by classes, with a share of the effort. */
final class StageSolver {
    private final Solver method;
    private final RemainingBudget effort;
    private final StepTimer steps;

    StageSolver(Solver method, RemainingBudget effort, StepTimer steps) {
        this.method = method;
        this.effort = effort;
        this.steps = steps;
    }

    /**
     * Returns the best plan of {@code stage} in which the decisions of higher classes hold, and the commitments if they
     * have a placement.
     *
     * @param start plan in which the decisions hold
     * @param share fraction of the remaining effort
     */
    SolveResult solve(ClassStage stage, List<Obligation> commitments, PartialPlacement start, double share) {
        CandidateSet set = stage.candidates();
        RemainingBudget own = share < 1 ? part(share) : effort;
        SolveResult found = method.solve(set, commitments, start, own, steps);
        List<Obligation> decisions = stage.decisions();
        if (!found.meets(set, commitments) && commitments.size() > decisions.size()) {
            found = method.solve(set, decisions, start, own, steps);
        }
        if (share < 1) {
            effort.spend(own.spentWork());
        }
        return found.meets(set, decisions)
                ? found
                : new SolveResult(
                        Placer.place(set, start),
                        false,
                        Solution.End.WORK_LIMIT,
                        found.bestBound(),
                        found.rows(),
                        Map.of(),
                        List.of());
    }

    private RemainingBudget part(double share) {
        SolveBudget left = effort.share(share);
        double before = steps.seconds();
        double seconds = Math.max(left.wallSeconds() * share, 0.01) + RemainingBudget.MIN_RESERVE;
        return new RemainingBudget(
                new SolveBudget(left.work(), seconds, left.workers(), left.seed()), () -> steps.seconds() - before);
    }
}
