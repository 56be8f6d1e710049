package dev.spur.solver.decomposition;

import dev.spur.model.round.SearchStep;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ParallelLoop;
import dev.spur.solver.exact.CoreProblem;
import dev.spur.solver.heuristic.AnnealingSearch;
import dev.spur.solver.heuristic.AnnealingSettings;
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
    private final List<Obligation> obligations;
    private final double gapTarget;
    private final RemainingBudget budget;
    private final StepTimer steps;

    private Decomposition(
            CandidateSet candidates, List<Obligation> obligations, RemainingBudget budget, StepTimer steps) {
        this.candidates = candidates;
        this.obligations = obligations;
        this.gapTarget = candidates.problem().settings().gapTarget();
        this.budget = budget;
        this.steps = steps;
    }

    /**
     * Returns the best plan found within {@code budget}, and its dual bound.
     *
     * @param fallbackPlacement plan that is kept if no better one is found
     */
    public static SolveResult solve(
            CandidateSet candidates,
            List<Obligation> obligations,
            PartialPlacement fallbackPlacement,
            RemainingBudget budget,
            StepTimer steps) {
        return new Decomposition(candidates, obligations, budget, steps).solve(fallbackPlacement);
    }

    /**
     * Dual prices and how they were found.
     *
     * @param relaxation solution of the linear relaxation; null where arrays do not hold the program
     * @param dived whether column generation followed the linear relaxation, so that its last columns were rounded
     * @param isCut whether the clock ended column generation, so that another machine may find other prices
     */
    private record DualPhase(
            DualSolution dualSolution, @Nullable RelaxationSolution relaxation, boolean dived, boolean isCut) {}

    /**
     * Plan after annealing.
     *
     * @param isCut whether the clock cooled or ended a search, so that another machine may find another plan
     */
    private record AnnealingPhase(PlanState plan, boolean isCut) {}

    /**
     * Core problem after its last solve.
     *
     * @param step step that found its first plan
     */
    private record CorePhase(CoreProblem core, SearchStep step) {}

    private SolveResult solve(PartialPlacement fallbackPlacement) {
        CouplingConstraints constraints = constraints();
        PlanState startState = PlanState.of(constraints, fallbackPlacement);
        DualPhase dualPhase = steps.time("dual", () -> dual(constraints, startState));
        DualSolution dual = dualPhase.dualSolution();
        PlanState rounded = construct(constraints, dualPhase, startState);
        AnnealingPhase annealingPhase = anneal(constraints, dualPhase, rounded);
        PlanState annealed = annealingPhase.plan();
        SearchStep step = annealed != rounded
                ? SearchStep.ANNEALING
                : rounded != startState ? SearchStep.ROUNDING : SearchStep.REPAIR;
        CorePhase corePhase = decide(constraints, dual, annealed, step);
        return result(corePhase, constraints, dual, dualPhase.isCut() || annealingPhase.isCut());
    }

    private CouplingConstraints constraints() {
        return steps.time(
                "constraints", () -> CouplingConstraintsBuilder.of(candidates, obligations, RelaxationLevel.TENANTS));
    }

    /**
     * Returns the dual prices: those of the linear program, whose bound the knapsacks of tenants lower, by column
     * generation where time allows. Column generation alone serves programs that arrays do not hold.
     */
    private DualPhase dual(CouplingConstraints constraints, PlanState knownPlan) {
        if (!LinearRelaxation.applies(constraints)) {
            double[] start = WarmStartDuals.startPrices(
                    constraints, candidates.problem().memory().duals());
            DualSolution dual = columnGeneration(constraints, start, SolvePhases.MAX_PASSES, this::isDualTimeOver);
            return new DualPhase(dual, null, false, false);
        }
        RelaxationSolution solution = linearRelaxation(constraints, knownPlan);
        if (constraints.hasKnapsacks() && SolvePhases.divingPays(budget.seconds(), candidates.size())) {
            double end = budget.seconds() * (1 - SolvePhases.COLUMN_GENERATION_SHARE);
            DualSolution joint = columnGeneration(
                    constraints, solution.prices(), SolvePhases.DIVING_PASSES, () -> budget.seconds() < end);
            boolean isCut = budget.seconds() < end;
            return new DualPhase(joint.withBoundAtMost(solution.bound()), solution, true, isCut);
        }
        DualSolution dual = budget.isShortOfShare(SolvePhases.LEFT_BY_KNAPSACKS)
                ? solution.dual()
                : LagrangianEvaluation.of(
                                constraints, solution.prices(), solution.dual().roundedChoice())
                        .withBoundAtMost(solution.bound());
        return new DualPhase(dual, solution, false, false);
    }

    private RelaxationSolution linearRelaxation(CouplingConstraints constraints, PlanState startState) {
        int running = 0;
        for (int c : startState.choice()) {
            running += c >= 0 ? 1 : 0;
        }
        return LinearRelaxation.solve(constraints, utility(constraints, startState), running, this::isDualTimeOver);
    }

    private DualSolution columnGeneration(
            CouplingConstraints constraints, double[] start, int passes, BooleanSupplier stop) {
        double target = Math.max(SolvePhases.MIN_DUAL_GAP, gapTarget * SolvePhases.DUAL_GAP_SHARE);
        return ColumnGeneration.search(constraints, List.of(start), passed -> target, passes, stop);
    }

    private boolean isDualTimeOver() {
        return budget.isShortOfShare(SolvePhases.LEFT_BY_DUAL);
    }

    /** Returns the better one of the plans that the last solution of the master and the linear program suggest. */
    private PlanState construct(CouplingConstraints constraints, DualPhase dualPhase, PlanState startState) {
        return steps.time("heuristic", () -> {
            DualSolution dual = dualPhase.dualSolution();
            RelaxationSolution linear = dualPhase.relaxation();
            PlanState plan = better(
                    constraints,
                    startState,
                    LagrangianHeuristic.readOff(candidates, constraints, dual, dual.roundedChoice(), startState));
            return linear == null || linear.dual().roundedChoice() == dual.roundedChoice()
                    ? plan
                    : better(
                            constraints,
                            plan,
                            LagrangianHeuristic.readOff(
                                    candidates, constraints, dual, linear.dual().roundedChoice(), startState));
        });
    }

    /**
     * Improves the plan by annealing searches with different seeds, one on each of two cores; the better one counts.
     * Their number is equal on every machine, so that the plan does not depend on the number of cores.
     */
    private AnnealingPhase anneal(CouplingConstraints constraints, DualPhase dualPhase, PlanState plan) {
        DualSolution dual = dualPhase.dualSolution();
        RelaxationSolution linear = dualPhase.relaxation();
        if (linear == null
                || constraints.haveSmallGap()
                || (dualPhase.dived() && gap(constraints, plan, dual) <= SolvePhases.ANNEALED_GAP)
                || candidates.size() <= SolvePhases.SOLVED_AS_A_WHOLE
                || !meetsAll(plan)
                || isGood(constraints, plan, dual)
                || (candidates.size() > SolvePhases.LARGE && !budget.isLeft())) {
            return new AnnealingPhase(plan, false);
        }
        return steps.time("annealing", () -> {
            double before = steps.seconds();
            double seconds = SolvePhases.annealingSeconds(budget.seconds(), candidates.size());
            long moves = Math.max(1, (long) (SolvePhases.annealingShare(candidates.size())
                    * budget.workLeft()
                    / (2 * SolvePhases.WORK_PER_MOVE)));
            double target = dual.bound() - gapTarget * Math.abs(dual.bound());
            AnnealingSearch.Found[] found = new AnnealingSearch.Found[2];
            ParallelLoop.each(
                    found.length,
                    i -> found[i] = AnnealingSearch.improve(
                            constraints,
                            linear.prices(),
                            plan,
                            new AnnealingSettings(
                                    budget.share(1).seed() + (long) i, SolvePhases.HOTTEST, SolvePhases.COLDEST, moves),
                            () -> (steps.seconds() - before) / seconds,
                            target));
            budget.spend((found[0].moves() + found[1].moves()) * SolvePhases.WORK_PER_MOVE);
            PlanState best = better(constraints, better(constraints, plan, found[0].plan()), found[1].plan());
            return new AnnealingPhase(best, found[0].isCut() || found[1].isCut());
        });
    }

    /**
     * Improves the plan by CP-SAT: neighborhoods, then the core problem.
     *
     * @param step step that found the plan
     */
    private CorePhase decide(CouplingConstraints constraints, DualSolution dual, PlanState plan, SearchStep step) {
        if (!meetsAll(plan) || candidates.size() <= SolvePhases.SOLVED_AS_A_WHOLE) {
            return run(core(constraints, dual, plan), step);
        }
        double before = utility(constraints, plan);
        LargeNeighborhoodSearch search = neighborhoods(constraints, dual, plan, budget);
        double work = budget.workLeft();
        double seconds = budget.seconds();
        steps.time(
                "neighborhoods",
                () -> search.run(() -> Math.min(budget.workLeft() / work, budget.seconds() / seconds)
                                < 1 - SolvePhases.NEIGHBORHOODS_SHARE
                        && fitsOneProgram(constraints, dual, plan)));
        SearchStep found = utility(constraints, plan) > before ? SearchStep.NEIGHBORHOODS : step;
        CoreProblem core = core(constraints, dual, plan);
        if (fitsOneProgram(constraints, dual, plan)) {
            return run(steps.time("core", () -> prove(core, constraints, dual)), found);
        }
        if (budget.isLeft() && !steps.time("core", core::tryOut)) {
            steps.time("neighborhoods", search::runHarder);
            return run(
                    core(constraints, dual, plan),
                    utility(constraints, plan) > before ? SearchStep.NEIGHBORHOODS : step);
        }
        return run(core, found);
    }

    private static boolean fitsOneProgram(CouplingConstraints constraints, DualSolution dual, PlanState plan) {
        return CoreProblem.fitsOneProgram(constraints, dual, plan.choice(), utility(constraints, plan));
    }

    /** Lowers the bound by CP-SAT on all open choices, while neighborhoods improve the plan on another core. */
    private CoreProblem prove(CoreProblem core, CouplingConstraints constraints, DualSolution dual) {
        if (budget.isLeft() && !core.isCloseEnough()) {
            PlanState plan = PlanState.of(constraints, core.plan());
            LargeNeighborhoodSearch search = neighborhoods(constraints, dual, plan, budget.copy());
            core.improveInParallel(search::runOnOneCore);
            // A core that reaches the target ends the neighborhoods at any time, so their plan would not be
            // reproducible.
            if (!core.isCloseEnough()) {
                core.offer(plan.choice(), plan.placement());
            }
        }
        return core;
    }

    private LargeNeighborhoodSearch neighborhoods(
            CouplingConstraints constraints, DualSolution dual, PlanState plan, RemainingBudget budget) {
        return new LargeNeighborhoodSearch(candidates, constraints, dual, plan, gapTarget, budget);
    }

    private CoreProblem core(CouplingConstraints constraints, DualSolution dual, PlanState plan) {
        PlacementResult placement = steps.time("placement", plan::placement);
        return new CoreProblem(candidates, obligations, constraints, dual, plan.choice(), placement, gapTarget, budget);
    }

    private CorePhase run(CoreProblem core, SearchStep step) {
        steps.time("core", core::run);
        return new CorePhase(core, step);
    }

    private SolveResult result(CorePhase corePhase, CouplingConstraints constraints, DualSolution dual, boolean isCut) {
        CoreProblem core = corePhase.core();
        return new SolveResult(
                core.placement(),
                true,
                end(core, isCut),
                core.bound(),
                constraints.rows().size(),
                dual.byResource(constraints),
                ShadowPrices.of(candidates, constraints, dual),
                core.summary(corePhase.step()));
    }

    /**
     * Returns why the search ended; {@code isCut} holds if the clock cooled or ended a phase before the core problem.
     */
    private Solution.End end(CoreProblem core, boolean isCut) {
        if (core.isProved()) {
            return Solution.End.OPTIMAL;
        }
        if (core.bound() - core.worth() <= gapTarget * Math.abs(core.bound())) {
            return Solution.End.GAP_LIMIT;
        }
        return isCut || budget.isClockCut() ? Solution.End.TIME_LIMIT : Solution.End.WORK_LIMIT;
    }

    /**
     * Returns {@code foundPlan} if it satisfies the hard commitments and has a higher objective value than
     * {@code knownPlan}, or an equal one where {@code knownPlan} violates a commitment; otherwise {@code knownPlan}.
     */
    private PlanState better(CouplingConstraints constraints, PlanState knownPlan, PlanState foundPlan) {
        boolean better = meetsAll(foundPlan)
                && constraints.restarts().restarts(foundPlan.choice())
                        <= constraints.restarts().limit()
                && (utility(constraints, foundPlan) > utility(constraints, knownPlan)
                        || (!meetsAll(knownPlan)
                                && utility(constraints, foundPlan) == utility(constraints, knownPlan)));
        return better ? foundPlan : knownPlan;
    }

    private boolean isGood(CouplingConstraints constraints, PlanState plan, DualSolution dual) {
        return gap(constraints, plan, dual) <= gapTarget;
    }

    private static double gap(CouplingConstraints constraints, PlanState plan, DualSolution dual) {
        return (dual.bound() - utility(constraints, plan)) / Math.max(1e-12, Math.abs(dual.bound()));
    }

    private boolean meetsAll(PlanState plan) {
        return obligations.stream()
                .allMatch(obligation -> obligation.candidates().contains(plan.choiceOf(obligation.job())));
    }

    private static double utility(CouplingConstraints constraints, PlanState plan) {
        double sum = 0;
        for (int c : plan.choice()) {
            sum += c < 0 ? 0 : constraints.worth(c);
        }
        return sum;
    }
}
