package dev.spur.solver.decomposition;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ParallelLoop;
import dev.spur.solver.exact.CoreProblem;
import dev.spur.solver.heuristic.AnnealingSearch;
import dev.spur.solver.heuristic.LagrangianHeuristic;
import dev.spur.solver.heuristic.LargeNeighborhoodSearch;
import dev.spur.solver.heuristic.PlanState;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.relaxation.ColumnGeneration;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.CouplingConstraintsBuilder;
import dev.spur.solver.relaxation.DualSolution;
import dev.spur.solver.relaxation.LagrangianEvaluation;
import dev.spur.solver.relaxation.LinearRelaxation;
import dev.spur.solver.relaxation.RelaxationLevel;
import dev.spur.solver.relaxation.RelaxationSolution;
import dev.spur.solver.relaxation.ShadowPrices;
import dev.spur.solver.relaxation.WarmStartDuals;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.Solution;
import dev.spur.solver.solve.SolveResult;
import dev.spur.solver.solve.StepTimer;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decomposition of a round: dual prices of the coupling constraints, a plan from them, local search, large neighborhood
 * search, and the core problem for CP-SAT. This class is the one to read first; docs/model/algorithm.md maps its steps
 * to textbook terms.
 */
public final class Decomposition {
    private final CandidateSet candidates;
    private final List<Obligation> commitments;
    private final double gapTarget;
    private final RemainingBudget effort;
    private final StepTimer steps;
    /** Solution of the linear relaxation; null where arrays do not hold the program. */
    private @Nullable RelaxationSolution relaxation;
    /** Whether column generation followed the linear relaxation, so that its last columns were rounded. */
    private boolean dived;
    /** Whether the clock ended column generation or annealing, so that another machine may find another plan. */
    private boolean clockCut;

    private Decomposition(
            CandidateSet candidates, List<Obligation> commitments, RemainingBudget effort, StepTimer steps) {
        this.candidates = candidates;
        this.commitments = commitments;
        this.gapTarget = candidates.problem().settings().gapTarget();
        this.effort = effort;
        this.steps = steps;
    }

    /**
     * Returns the best plan found within {@code effort}, and its dual bound.
     *
     * @param fallback plan that is kept if no better one is found
     */
    public static SolveResult solve(
            CandidateSet candidates,
            List<Obligation> commitments,
            PartialPlacement fallback,
            RemainingBudget effort,
            StepTimer steps) {
        return new Decomposition(candidates, commitments, effort, steps).solve(fallback);
    }

    private SolveResult solve(PartialPlacement fallback) {
        CouplingConstraints rows = constraints();
        PlanState start = PlanState.of(rows, fallback);
        DualSolution dual = steps.time("dual", () -> dual(rows, start));
        PlanState plan = construct(rows, dual, start);
        plan = anneal(rows, dual, plan);
        return result(decide(rows, dual, plan), rows, dual);
    }

    private CouplingConstraints constraints() {
        return steps.time(
                "constraints", () -> CouplingConstraintsBuilder.of(candidates, commitments, RelaxationLevel.TENANTS));
    }

    /**
     * Returns the dual prices: those of the linear program, whose bound the knapsacks of tenants lower, by column
     * generation where time allows. Column generation alone serves programs that arrays do not hold.
     */
    private DualSolution dual(CouplingConstraints rows, PlanState known) {
        if (!LinearRelaxation.applies(rows)) {
            double[] start = WarmStartDuals.startPrices(
                    rows, candidates.problem().memory().duals());
            return columnGeneration(rows, start, SolvePhases.MAX_PASSES, this::isDualTimeOver);
        }
        RelaxationSolution solution = linearRelaxation(rows, known);
        relaxation = solution;
        if (rows.hasKnapsacks() && SolvePhases.divingPays(effort.seconds(), candidates.size())) {
            double end = effort.seconds() * (1 - SolvePhases.COLUMN_GENERATION_SHARE);
            DualSolution joint =
                    columnGeneration(rows, solution.prices(), SolvePhases.DIVING_PASSES, () -> effort.seconds() < end);
            dived = true;
            clockCut |= effort.seconds() < end;
            return joint.withBoundAtMost(solution.bound());
        }
        return effort.isShortOfShare(SolvePhases.LEFT_BY_KNAPSACKS)
                ? solution.dual()
                : LagrangianEvaluation.of(
                                rows, solution.prices(), solution.dual().roundedChoice())
                        .withBoundAtMost(solution.bound());
    }

    private RelaxationSolution linearRelaxation(CouplingConstraints rows, PlanState start) {
        int running = 0;
        for (int c : start.choice()) {
            running += c >= 0 ? 1 : 0;
        }
        return LinearRelaxation.solve(rows, utility(rows, start), running, this::isDualTimeOver);
    }

    private DualSolution columnGeneration(CouplingConstraints rows, double[] start, int passes, BooleanSupplier stop) {
        double target = Math.max(SolvePhases.MIN_DUAL_GAP, gapTarget * SolvePhases.DUAL_GAP_SHARE);
        return ColumnGeneration.search(rows, List.of(start), passed -> target, passes, stop);
    }

    private boolean isDualTimeOver() {
        return effort.isShortOfShare(SolvePhases.LEFT_BY_DUAL);
    }

    /** Returns the better one of the plans that the last solution of the master and the linear program suggest. */
    private PlanState construct(CouplingConstraints rows, DualSolution dual, PlanState start) {
        return steps.time("heuristic", () -> {
            RelaxationSolution linear = relaxation;
            PlanState plan =
                    better(rows, start, LagrangianHeuristic.readOff(candidates, rows, dual, dual.roundedChoice()));
            return linear == null || linear.dual().roundedChoice() == dual.roundedChoice()
                    ? plan
                    : better(
                            rows,
                            plan,
                            LagrangianHeuristic.readOff(
                                    candidates, rows, dual, linear.dual().roundedChoice()));
        });
    }

    /**
     * Improves the plan by annealing searches with different seeds, one on each of two cores; the better one counts.
     * Their number is equal on every machine, so that the plan does not depend on the number of cores.
     */
    private PlanState anneal(CouplingConstraints rows, DualSolution dual, PlanState plan) {
        RelaxationSolution linear = relaxation;
        if (linear == null
                || rows.haveSmallGap()
                || (dived && gap(rows, plan, dual) <= SolvePhases.ANNEALED_GAP)
                || candidates.size() <= SolvePhases.SOLVED_AS_A_WHOLE
                || !meetsAll(plan)
                || isGood(rows, plan, dual)
                || (candidates.size() > SolvePhases.LARGE && !effort.isLeft())) {
            return plan;
        }
        return steps.time("annealing", () -> {
            double before = steps.seconds();
            double seconds = SolvePhases.annealingSeconds(effort.seconds(), candidates.size());
            long moves = Math.max(1, (long) (SolvePhases.annealingShare(candidates.size())
                    * effort.workLeft()
                    / (2 * SolvePhases.WORK_PER_MOVE)));
            AnnealingSearch.Found[] found = new AnnealingSearch.Found[2];
            ParallelLoop.each(
                    found.length,
                    i -> found[i] = AnnealingSearch.improve(
                            rows,
                            linear.prices(),
                            plan,
                            effort.share(1).seed() + (long) i,
                            SolvePhases.HOTTEST,
                            SolvePhases.COLDEST,
                            moves,
                            () -> (steps.seconds() - before) / seconds,
                            dual.bound(),
                            gapTarget * Math.abs(dual.bound())));
            effort.spend((found[0].moves() + found[1].moves()) * SolvePhases.WORK_PER_MOVE);
            clockCut |= found[0].isCut() || found[1].isCut();
            return better(rows, better(rows, plan, found[0].plan()), found[1].plan());
        });
    }

    /** Improves the plan by CP-SAT: neighborhoods, then the core problem. */
    private CoreProblem decide(CouplingConstraints rows, DualSolution dual, PlanState plan) {
        if (!meetsAll(plan) || candidates.size() <= SolvePhases.SOLVED_AS_A_WHOLE) {
            return core(rows, dual, plan);
        }
        LargeNeighborhoodSearch search = new LargeNeighborhoodSearch(candidates, rows, dual, plan, gapTarget, effort);
        steps.time("neighborhoods", search::run);
        CoreProblem core = core(rows, dual, plan);
        if (!effort.isLeft() || steps.time("core", core::tryOut)) {
            return core;
        }
        steps.time("neighborhoods", search::runHarder);
        return core(rows, dual, plan);
    }

    private CoreProblem core(CouplingConstraints rows, DualSolution dual, PlanState plan) {
        PlacementResult placement = steps.time("placement", plan::placement);
        return new CoreProblem(candidates, commitments, rows, dual, plan.choice(), placement, gapTarget, effort);
    }

    private SolveResult result(CoreProblem core, CouplingConstraints rows, DualSolution dual) {
        steps.time("core", core::run);
        return new SolveResult(
                core.placement(),
                true,
                end(core),
                core.bound(),
                rows.rows().size(),
                dual.byResource(rows),
                ShadowPrices.of(candidates, rows, dual));
    }

    private Solution.End end(CoreProblem core) {
        if (core.isProved()) {
            return Solution.End.OPTIMAL;
        }
        if (core.bound() - core.worth() <= gapTarget * Math.abs(core.bound())) {
            return Solution.End.GAP_LIMIT;
        }
        return clockCut || effort.isClockCut() ? Solution.End.TIME_LIMIT : Solution.End.WORK_LIMIT;
    }

    /**
     * Returns {@code found} if it satisfies the hard commitments and has a higher objective value than {@code known},
     * or an equal one where {@code known} violates a commitment; otherwise {@code known}.
     */
    private PlanState better(CouplingConstraints rows, PlanState known, PlanState found) {
        boolean better = meetsAll(found)
                && rows.restarts().restarts(found.choice()) <= rows.restarts().limit()
                && (utility(rows, found) > utility(rows, known)
                        || (!meetsAll(known) && utility(rows, found) == utility(rows, known)));
        return better ? found : known;
    }

    private boolean isGood(CouplingConstraints rows, PlanState plan, DualSolution dual) {
        return gap(rows, plan, dual) <= gapTarget;
    }

    private static double gap(CouplingConstraints rows, PlanState plan, DualSolution dual) {
        return (dual.bound() - utility(rows, plan)) / Math.max(1e-12, Math.abs(dual.bound()));
    }

    private boolean meetsAll(PlanState plan) {
        return commitments.stream()
                .allMatch(obligation -> obligation.candidates().contains(plan.choiceOf(obligation.job())));
    }

    private static double utility(CouplingConstraints rows, PlanState plan) {
        double sum = 0;
        for (int c : plan.choice()) {
            sum += c < 0 ? 0 : rows.worth(c);
        }
        return sum;
    }
}
