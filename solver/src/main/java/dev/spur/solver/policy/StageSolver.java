package dev.spur.solver.policy;

import dev.spur.model.round.SearchStep;
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
    private final Solver solver;
    private final RemainingBudget budget;
    private final StepTimer steps;

    StageSolver(Solver solver, RemainingBudget budget, StepTimer steps) {
        this.solver = solver;
        this.budget = budget;
        this.steps = steps;
    }

    /**
     * Returns the best plan of {@code stage} in which the decisions of higher classes hold, and the commitments. If the
     * commitments have no placement together, those that a plan meets count.
     *
     * @param startPlacement plan in which the decisions hold
     * @param share fraction of the remaining effort
     */
    SolveResult solve(ClassStage stage, List<Obligation> obligations, PartialPlacement startPlacement, double share) {
        CandidateSet set = stage.candidates();
        RemainingBudget own = share < 1 ? part(share) : budget;
        SolveResult found = solver.solve(set, obligations, startPlacement, own, steps);
        List<Obligation> decisions = stage.decisions();
        if (!found.meets(set, obligations) && obligations.size() > decisions.size()) {
            found = found.meets(set, decisions)
                    ? solver.solve(
                            set,
                            found.met(set, obligations),
                            StandingPlan.of(set, found.placement()).partialPlacement(),
                            own,
                            steps)
                    : solver.solve(set, decisions, startPlacement, own, steps);
        }
        if (share < 1) {
            budget.spend(own.spentWork());
        }
        return found.meets(set, decisions)
                ? found
                : new SolveResult(
                        Placer.place(set, startPlacement),
                        false,
                        Solution.End.WORK_LIMIT,
                        found.bestBound(),
                        found.rows(),
                        Map.of(),
                        List.of(),
                        found.search().foundBy(SearchStep.REPAIR));
    }

    private RemainingBudget part(double share) {
        SolveBudget left = budget.share(share);
        double before = steps.seconds();
        double seconds = Math.max(left.wallSeconds() * share, 0.01) + RemainingBudget.MIN_RESERVE;
        return new RemainingBudget(
                new SolveBudget(left.work(), seconds, left.workers(), left.seed()), () -> steps.seconds() - before);
    }
}
