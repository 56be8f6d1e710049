package dev.spur.policies.monolithic;

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

    private final MipBackend solver;

    private MonolithicSolver(MipBackend solver) {
        this.solver = solver;
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
            List<Obligation> commitments,
            PartialPlacement filled,
            RemainingBudget effort,
            StepTimer steps) {
        double gapTarget = candidates.problem().settings().gapTarget();
        RoundProgram program = steps.time("program", () -> new RoundProgram(candidates));
        program.obligationsAreMet(commitments);
        PartialPlacement start = filled;
        Set<StallLoss> charged = new HashSet<>();
        double bound = Double.POSITIVE_INFINITY;
        for (int solves = 1; ; solves++) {
            program.maximizeWorth();
            program.hint(start);
            Solution solution = steps.time("solve", () -> solver.solve(program, effort.share(1), gapTarget));
            effort.spend(solution.work());
            bound = Math.min(bound, solution.bestBound());
            int[] choice = solution.choice();
            if (choice == null) {
                PlacementResult fallback = Placer.place(candidates, filled);
                return new SolveResult(fallback, false, solution.end(), bound, program.rows(), Map.of(), List.of());
            }
            PlacementResult placement = steps.time(
                    "place", () -> Placer.place(candidates, PartialPlacement.withoutPlaces(choice), effort::seconds));
            boolean isExact = placement.conflicts().isEmpty() && charged.containsAll(placement.losses());
            if (isExact || solves == MAX_SOLVES || !effort.isLeft()) {
                SolveResult found =
                        new SolveResult(placement, true, solution.end(), bound, program.rows(), Map.of(), List.of());
                return found.orFallback(candidates, commitments, filled);
            }
            placement.conflicts().forEach(program::isNotPlacedTogether);
            placement.losses().stream().filter(charged::add).forEach(program::stallsAreCharged);
            start = PartialPlacement.withoutPlaces(choice);
        }
    }
}
