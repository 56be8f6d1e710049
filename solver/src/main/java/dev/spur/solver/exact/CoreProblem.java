package dev.spur.solver.exact;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.OptimalityProof;
import dev.spur.model.round.SearchStep;
import dev.spur.model.round.SearchSummary;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ParallelLoop;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.program.VariableFixing;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.DualSolution;
import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.Solution;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Core problem (Balas and Zemel): improves the incumbent over the jobs with an open choice, and proves its gap.
 *
 * <p>With prices p, the gap between the dual bound and a plan is exactly a sum of losses. A job loses the difference
 * between its maximum reduced cost and that of its choice. A row loses the price of its unused capacity.
 *
 * <p>The core consists of jobs with such a loss, and jobs whose second-best candidate is almost as good. All other jobs
 * keep their choice while the integer program decides the core. Reduced-cost fixing excludes a candidate whose loss
 * exceeds the whole gap, because no better plan contains it.
 */
public final class CoreProblem {
    private static final int FIRST_CORE = 150;
    /**
     * Number of remaining candidates up to which the program decides every job, so that its dual bound is valid for
     * all.
     */
    private static final int SMALL = 6_000;
    /** Number of candidates of a round up to which the plan is proved optimal even within the gap target. */
    private static final int PROVED_TO_THE_END = 3_000;
    /** Gap target up to which that holds: a larger one asks for any good plan. */
    private static final double PROVED_GAP = 0.01;
    /** Share of the remaining work that this proof may use. */
    private static final double PROOF_SHARE = 0.2;
    /** Share of the remaining work that one solve of a core may use. */
    private static final double SHARE = 0.25;
    /** The same share for a first plan that meets all commitments, which may have none together. */
    private static final double FEASIBILITY_SHARE = 0.5;
    /** The same share for a trial solve. */
    private static final double TRIAL_SHARE = 0.05;
    /** Number of consecutive solves without improvement after which the search ends. */
    private static final int MAX_IDLE = 3;

    private final CandidateSet candidates;
    private final List<Obligation> obligations;
    private final CouplingConstraints constraints;
    /** Prices with the dual bound at them, the reference of all losses; bounds of the program do not change it. */
    private final DualSolution dualSolution;

    private final double gapTarget;
    private final RemainingBudget budget;
    private final List<List<Integer>> cuts = new ArrayList<>();
    private final Incumbent incumbent;
    private double bound;
    /** Step that found the plan; null for the first incumbent. */
    private @Nullable SearchStep step;

    private boolean proved;
    private boolean isBoundOfSearch;
    private int openJobs;
    private int openCandidates;
    /** Whether the whole program found no solution; solving it again would not help. */
    private boolean stuck;

    /**
     * @param start first incumbent, which should satisfy all hard obligations
     * @param placement placement of {@code start}
     */
    public CoreProblem(
            CandidateSet candidates,
            List<Obligation> obligations,
            CouplingConstraints constraints,
            DualSolution dualSolution,
            int[] start,
            PlacementResult placement,
            double gapTarget,
            RemainingBudget budget) {
        this.candidates = candidates;
        this.obligations = obligations;
        this.constraints = constraints;
        this.dualSolution = dualSolution;
        this.bound = dualSolution.bound();
        this.gapTarget = gapTarget;
        this.budget = budget;
        this.incumbent = new Incumbent(constraints, obligations, start, placement);
    }

    /**
     * Solves a first core with little work; returns whether the plan improved or had already reached the gap target.
     */
    public boolean tryOut() {
        double before = worth();
        if (!isCloseEnough() && budget.isLeft()) {
            OpenChoices choices = openChoices();
            List<Integer> open = choices.jobs();
            recordOpen(open, choices);
            improve(choices.mostOpen(open, FIRST_CORE), choices, false, TRIAL_SHARE, gapTarget / 2);
        }
        return worth() > before || isCloseEnough();
    }

    /**
     * Solves cores until the gap target is reached, the plan is proved optimal, the work budget is exhausted, or no
     * solve improves the plan. Returns whether the plan is proved optimal.
     */
    public boolean run() {
        int size = FIRST_CORE;
        int idle = 0;
        while (!proved && !isCloseEnough() && budget.isLeft() && idle < MAX_IDLE && !stuck) {
            double before = worth();
            OpenChoices choices = openChoices();
            List<Integer> open = choices.jobs();
            boolean all = choices.count(open) <= SMALL || open.size() <= size || !incumbent.meetsObligations();
            List<Integer> movable = all ? choices.withMovableJobs(open) : open;
            recordOpen(movable, choices);
            double share = !incumbent.meetsObligations() ? FEASIBILITY_SHARE : all ? 1 : SHARE;
            improve(all ? movable : choices.mostOpen(open, size), choices, all, share, gapTarget / 2);
            idle = all || worth() > before ? 0 : idle + 1;
            size *= 2;
        }
        boolean small = candidates.size() <= PROVED_TO_THE_END && gapTarget <= PROVED_GAP;
        if (!proved && !stuck && small && budget.isLeft()) {
            prove();
        }
        return proved;
    }

    /** Decides all candidates that a better plan could contain, without a gap, where they are few. */
    private void prove() {
        OpenChoices choices = openChoices();
        List<Integer> open = choices.jobs();
        if (choices.count(open) <= SMALL) {
            List<Integer> movable = choices.withMovableJobs(open);
            recordOpen(movable, choices);
            improve(movable, choices, true, PROOF_SHARE, 0);
        }
    }

    public PlacementResult placement() {
        return incumbent.placement();
    }

    public double worth() {
        return incumbent.worth();
    }

    public double bound() {
        return bound;
    }

    /**
     * Returns who decided the plan.
     *
     * @param before step that found the first incumbent
     */
    public SearchSummary summary(SearchStep before) {
        return new SearchSummary(
                step == null ? before : step,
                openJobs,
                openCandidates,
                openJobs > 0 && (proved || isBoundOfSearch) ? OptimalityProof.SEARCH : OptimalityProof.BOUND);
    }

    /** Returns whether no plan is better, up to rounding. */
    public boolean isProved() {
        return proved;
    }

    /** Returns whether the gap target is reached. */
    public boolean isCloseEnough() {
        // A loss without a cut stays in the bound, whatever the effort.
        return bound - incumbent.programWorth() <= gapTarget * Math.abs(bound);
    }

    private OpenChoices openChoices() {
        return new OpenChoices(
                constraints,
                dualSolution.reducedCosts(),
                dualSolution.decisions(),
                dualSolution.decisionsBound() - worth(),
                incumbent.choice());
    }

    /** Records the largest set of jobs that the bound left open. */
    private void recordOpen(List<Integer> jobs, OpenChoices choices) {
        if (jobs.size() > openJobs) {
            openJobs = jobs.size();
            openCandidates = choices.count(jobs);
        }
    }

    /**
     * Solves the program of {@code core}; with {@code all}, no job outside the core can improve, so that its dual bound
     * is valid for the whole problem.
     */
    private void improve(List<Integer> core, OpenChoices choices, boolean all, double share, double gap) {
        boolean[] open = openJobs(core);
        // A plan that meets all commitments may not exist: the next solve, for fewer of them, needs time, too.
        SolveBudget solveBudget = incumbent.meetsObligations() ? budget.share(share) : budget.shareOfTime(share);
        takeOver(CpSat.solve(program(open, choices), solveBudget, gap), open, all);
    }

    /**
     * Decides all candidates that a better plan could contain with one worker and the remaining budget, while a search
     * runs on another core.
     *
     * @param search search that does not use this core problem, and ends when its argument is true
     */
    public void improveInParallel(Consumer<BooleanSupplier> search) {
        OpenChoices choices = openChoices();
        List<Integer> movable = choices.withMovableJobs(choices.jobs());
        recordOpen(movable, choices);
        boolean[] open = openJobs(movable);
        RoundProgram program = program(open, choices);
        SolveBudget solveBudget = budget.share(1).withOneWorker();
        AtomicReference<Solution> solution = new AtomicReference<>();
        ParallelLoop.runBoth(
                () -> solution.set(CpSat.prove(program, solveBudget, gapTarget / 2)),
                () -> search.accept(() -> isEnd(solution.get())));
        takeOver(Objects.requireNonNull(solution.get()), open, true);
    }

    /** Returns whether no plan is better than {@code solution} by more than half the gap target. */
    private static boolean isEnd(@Nullable Solution solution) {
        return solution != null && (solution.end() == Solution.End.OPTIMAL || solution.end() == Solution.End.GAP_LIMIT);
    }

    /**
     * Returns whether every candidate that a plan better than {@code choice} could contain fits into one program.
     *
     * @param worth objective value of {@code choice}
     */
    public static boolean fitsOneProgram(
            CouplingConstraints constraints, DualSolution dualSolution, int[] choice, double worth) {
        OpenChoices choices = new OpenChoices(
                constraints,
                dualSolution.reducedCosts(),
                dualSolution.decisions(),
                dualSolution.decisionsBound() - worth,
                choice);
        return choices.count(choices.jobs()) <= SMALL;
    }

    /**
     * Takes over a plan of the neighborhoods, which satisfies all hard obligations, if its objective value is higher.
     */
    public void offer(int[] choice, PlacementResult placement) {
        if (incumbent.offer(choice, placement)) {
            step = SearchStep.NEIGHBORHOODS;
        }
    }

    /** Returns the plan, with the nodes of the jobs that do not keep their allocation. */
    public PartialPlacement plan() {
        return incumbent.placementOf(incumbent.choice(), j -> true);
    }

    private boolean[] openJobs(List<Integer> core) {
        boolean[] open = new boolean[candidates.jobs()];
        core.forEach(j -> open[j] = true);
        return open;
    }

    private RoundProgram program(boolean[] open, OpenChoices choices) {
        RoundProgram program = new RoundProgram(fixing(open, choices));
        program.obligationsAreMet(obligations);
        cuts.forEach(program::isNotPlacedTogether);
        incumbent.losses().forEach(program::stallsAreCharged);
        program.maximizeWorth();
        program.hint(incumbent.placementOf(incumbent.choice(), j -> open[j]));
        return program;
    }

    private void takeOver(Solution solution, boolean[] open, boolean all) {
        budget.spend(solution.work());
        if (solution.end() == Solution.End.TIME_LIMIT) {
            budget.recordCutSolve();
        }
        int[] found = solution.choice();
        stuck = all && found == null;
        if (all && !(found == null && worth() == Double.NEGATIVE_INFINITY)) {
            // Every better plan, if there is one, is among those that the program decided.
            double programBound = Math.max(worth(), solution.bestBound());
            isBoundOfSearch |= programBound < bound;
            bound = Math.min(bound, programBound);
        }
        if (found != null && accept(found, solution, open) && all) {
            proved = solution.end() == Solution.End.OPTIMAL;
        }
    }

    /** Returns the fixing of all jobs that are not open. */
    private VariableFixing fixing(boolean[] open, OpenChoices choices) {
        Map<Integer, int[]> offered = new LinkedHashMap<>();
        int[] fixed = incumbent.choice().clone();
        ResidualCapacity residual = new ResidualCapacity(candidates);
        for (int j = 0; j < open.length; j++) {
            Allocation allocation = placement().allocations().get(j);
            if (open[j]) {
                offered.put(j, choices.candidates(j));
                fixed[j] = -1;
            } else if (allocation != null) {
                residual.occupy(j, allocation);
            }
        }
        return new VariableFixing(candidates, offered, fixed, residual, constraints.restarts());
    }

    /** Accepts a better choice if it can be placed; otherwise adds a conflict cut and returns false. */
    private boolean accept(int[] found, Solution solution, boolean[] open) {
        double value = incumbent.programWorth(found);
        if (value <= worth()) {
            // Among plans with equal objective value the first stays, because it moves fewer jobs.
            return true;
        }
        PlacementResult placement = Placer.place(
                candidates, incumbent.placementOf(found, j -> !open[j]).with(solution.places()), budget::seconds);
        if (!placement.conflicts().isEmpty()) {
            // A conflict cut is valid only if no job is fixed to its nodes.
            placement = Placer.place(candidates, PartialPlacement.withoutPlaces(found), budget::seconds);
        }
        if (!placement.conflicts().isEmpty()) {
            cuts.addAll(placement.conflicts());
            return false;
        }
        if (incumbent.offer(found, placement)) {
            step = SearchStep.CORE;
        }
        return incumbent.programWorth(found) >= value;
    }
}
