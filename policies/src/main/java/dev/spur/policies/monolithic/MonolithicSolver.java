package dev.spur.policies.monolithic;

import dev.spur.model.round.OptimalityProof;
import dev.spur.model.round.SearchStep;
import dev.spur.model.round.SearchSummary;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.placement.StallLoss;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import dev.spur.solver.policy.Solver;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.SolveResult;
import dev.spur.solver.solve.StepTimer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Monolithic MIP of all candidates of all jobs. Choices that provably have no placement are excluded by no-good cuts,
 * and the program is solved again.
 */
public final class MonolithicSolver implements Solver {
    /** Solver of a MIP. */
    private interface MipBackend {
        /** Solves {@code program} to the relative gap {@code gapTarget}, or as far as {@code budget} allows. */
        Solution solve(RoundProgram program, SolveBudget budget, double gapTarget);
    }

    /** Maximum number of solves of one round, the first included, while placements conflict. */
    private static final int MAX_SOLVES = 8;

    private final MipBackend backend;

    private MonolithicSolver(MipBackend backend) {
        this.backend = backend;
    }

    /** Returns Spur's policy with the program solved by CP-SAT. */
    public static Policy cpSat() {
        return Policies.of("cp-sat", new MonolithicSolver(CpSat::solve));
    }

    /** Returns Spur's policy with the program solved by HiGHS; its plan may differ from run to run. */
    public static Policy highs() {
        return Policies.of("highs", new MonolithicSolver(Highs::solve));
    }

    /** Returns Spur's policy with the program solved by SCIP; its plan may differ from run to run. */
    public static Policy scip() {
        return Policies.of("scip", new MonolithicSolver(Scip::solve));
    }

    @Override
    public SolveResult solve(
            CandidateSet candidates,
            List<Obligation> obligations,
            PartialPlacement filledPlacement,
            RemainingBudget budget,
            StepTimer steps) {
        double gapTarget = candidates.problem().settings().gapTarget();
        RoundProgram program = steps.time("program", () -> new RoundProgram(candidates));
        program.obligationsAreMet(obligations);
        PartialPlacement startPlacement = filledPlacement;
        Set<StallLoss> charged = new HashSet<>();
        double bound = Double.POSITIVE_INFINITY;
        SearchSummary search = new SearchSummary(
                SearchStep.CORE, candidates.jobs(), candidates.size() + candidates.jobs(), OptimalityProof.SEARCH);
        for (int solves = 1; ; solves++) {
            program.maximizeWorth();
            program.hint(startPlacement);
            Solution solution = steps.time("solve", () -> backend.solve(program, budget.share(1), gapTarget));
            budget.spend(solution.work());
            bound = Math.min(bound, solution.bestBound());
            int[] choice = solution.choice();
            if (choice == null) {
                PlacementResult fallback = Placer.place(candidates, filledPlacement);
                return new SolveResult(
                        fallback,
                        false,
                        solution.end(),
                        bound,
                        program.rows(),
                        Map.of(),
                        List.of(),
                        search.foundBy(SearchStep.REPAIR));
            }
            PlacementResult placement = steps.time(
                    "place", () -> Placer.place(candidates, PartialPlacement.withoutPlaces(choice), budget::seconds));
            boolean isExact = placement.conflicts().isEmpty() && charged.containsAll(placement.losses());
            if (isExact || solves == MAX_SOLVES || !budget.isLeft()) {
                SolveResult found = new SolveResult(
                        placement, true, solution.end(), bound, program.rows(), Map.of(), List.of(), search);
                return found.orFallback(candidates, obligations, filledPlacement);
            }
            placement.conflicts().forEach(program::isNotPlacedTogether);
            placement.losses().stream().filter(charged::add).forEach(program::stallsAreCharged);
            startPlacement = PartialPlacement.withoutPlaces(choice);
        }
    }
}
