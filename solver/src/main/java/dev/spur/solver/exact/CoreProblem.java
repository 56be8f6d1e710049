package dev.spur.solver.exact;

import dev.spur.model.allocation.Allocation;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.StallLoss;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.program.VariableFixing;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.DualDecisions;
import dev.spur.solver.relaxation.DualSolution;
import dev.spur.solver.relaxation.ReducedCosts;
import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.PlacedObjective;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.Solution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

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
    private static final int PROVED_TO_THE_END = 10_000;
    /** Gap target up to which that holds: a larger one asks for any good plan. */
    private static final double PROVED_GAP = 0.01;
    /** Share of the remaining work that this proof may use. */
    private static final double PROOF_SHARE = 0.2;
    /** Share of the remaining work that one solve of a core may use. */
    private static final double SHARE = 0.25;
    /** The same share for a trial solve. */
    private static final double TRIAL_SHARE = 0.05;
    /** Number of consecutive solves without improvement after which the search ends. */
    private static final int MAX_IDLE = 3;

    private final CandidateSet candidates;
    private final List<Obligation> commitments;
    private final CouplingConstraints rows;
    private final ReducedCosts jobLosses;
    private final double gapTarget;
    private final RemainingBudget effort;
    private final List<List<Integer>> cuts = new ArrayList<>();
    private final List<StallLoss> losses = new ArrayList<>();
    private final PlacedObjective valuation;
    private int[] choice;
    private PlacementResult placement;
    private double worth;
    /** Dual bound at the prices, the reference of all losses; bounds of the integer program do not change it. */
    private final double dualBound;

    private final DualDecisions slack;

    private double bound;
    private boolean proved;
    /** Whether the whole program found no solution; solving it again would not help. */
    private boolean stuck;

    /**
     * @param start first incumbent, which should satisfy all hard commitments
     * @param placement placement of {@code start}
     */
    public CoreProblem(
            CandidateSet candidates,
            List<Obligation> commitments,
            CouplingConstraints rows,
            DualSolution prices,
            int[] start,
            PlacementResult placement,
            double gapTarget,
            RemainingBudget effort) {
        this.candidates = candidates;
        this.commitments = commitments;
        this.rows = rows;
        this.jobLosses = prices.jobLosses();
        this.dualBound = prices.decisionsBound();
        this.slack = prices.decisions();
        this.bound = prices.bound();
        this.gapTarget = gapTarget;
        this.effort = effort;
        this.choice = start.clone();
        this.placement = placement;
        // A plan that violates a hard commitment is not feasible: every plan that satisfies all of them replaces it.
        this.valuation = new PlacedObjective(candidates);
        this.worth = meetsAll(choice) ? placedWorth(choice, placement) : Double.NEGATIVE_INFINITY;
        this.losses.addAll(placement.losses());
    }

    /**
     * Solves a first core with little work; returns whether the plan improved or had already reached the gap target.
     */
    public boolean tryOut() {
        double before = worth;
        if (!isCloseEnough() && effort.isLeft()) {
            boolean[] allowed = choicesOfBetterPlans();
            improve(mostOpen(openJobs(allowed), allowed, FIRST_CORE), allowed, false, TRIAL_SHARE, gapTarget / 2);
        }
        return worth > before || isCloseEnough();
    }

    /**
     * Solves cores until the gap target is reached, the plan is proved optimal, the work budget is exhausted, or no
     * solve improves the plan. Returns whether the plan is proved optimal.
     */
    public boolean run() {
        int size = FIRST_CORE;
        int idle = 0;
        while (!proved && !isCloseEnough() && effort.isLeft() && idle < MAX_IDLE && !stuck) {
            double before = worth;
            boolean[] allowed = choicesOfBetterPlans();
            List<Integer> open = openJobs(allowed);
            int left = open.stream().mapToInt(j -> countChoices(j, allowed)).sum();
            boolean all = left <= SMALL || open.size() <= size || !meetsAll(choice);
            improve(
                    all ? withEverythingThatMoves(open) : mostOpen(open, allowed, size),
                    allowed,
                    all,
                    all ? 1 : SHARE,
                    gapTarget / 2);
            idle = all || worth > before ? 0 : idle + 1;
            size *= 2;
        }
        boolean small = candidates.size() <= PROVED_TO_THE_END && gapTarget <= PROVED_GAP;
        if (!proved && !stuck && small && effort.isLeft()) {
            prove();
        }
        return proved;
    }

    /** Decides all candidates that a better plan could contain, without a gap, where they are few. */
    private void prove() {
        boolean[] allowed = choicesOfBetterPlans();
        List<Integer> open = openJobs(allowed);
        if (open.stream().mapToInt(j -> countChoices(j, allowed)).sum() <= SMALL) {
            improve(withEverythingThatMoves(open), allowed, true, PROOF_SHARE, 0);
        }
    }

    public PlacementResult placement() {
        return placement;
    }

    public double worth() {
        return worth;
    }

    public double bound() {
        return bound;
    }

    /** Returns whether no plan is better, up to rounding. */
    public boolean isProved() {
        return proved;
    }

    private boolean meetsAll(int[] plan) {
        return commitments.stream()
                .allMatch(obligation -> obligation.candidates().contains(plan[obligation.job()]));
    }

    private boolean isCloseEnough() {
        // a loss without a cut stays in the bound, whatever the effort
        double reached = Double.isInfinite(worth) ? worth : worthOf(choice);
        return bound - reached <= gapTarget * Math.abs(bound);
    }

    /** Returns by candidate whether a plan better than the incumbent could contain it. */
    private boolean[] choicesOfBetterPlans() {
        boolean[] allowed = new boolean[candidates.size()];
        for (int j = 0; j < candidates.jobs(); j++) {
            for (int c = candidates.first(j); c < candidates.end(j); c++) {
                allowed[c] = c == choice[j] || (rows.isOffered(c) && jobLosses.of(j, c) <= openTo(j));
            }
        }
        return allowed;
    }

    /**
     * Returns the loss above which a candidate of job {@code j} is in no better plan. All other jobs together gain at
     * most the dual bound.
     */
    private double openTo(int j) {
        return dualBound - worth + slack.slack(j);
    }

    /** Returns the jobs with an alternative to their present choice, waiting included. */
    private List<Integer> openJobs(boolean[] allowed) {
        return IntStream.range(0, candidates.jobs())
                .filter(j -> !candidates.isPinned(j) && hasAnotherWay(j, allowed))
                .boxed()
                .toList();
    }

    /**
     * Adds to the open jobs those with one candidate but no fixed nodes. A proof of optimality requires that they can
     * move to other nodes.
     */
    private List<Integer> withEverythingThatMoves(List<Integer> open) {
        Set<Integer> movable = new TreeSet<>(open);
        for (int j = 0; j < choice.length; j++) {
            if (choice[j] >= 0 && !candidates.get(choice[j]).isRetained()) {
                movable.add(j);
            }
        }
        return List.copyOf(movable);
    }

    private boolean hasAnotherWay(int j, boolean[] allowed) {
        boolean another = choice[j] >= 0 && waitingIsOpen(j);
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            another |= allowed[c] && c != choice[j];
        }
        return another;
    }

    private int countChoices(int j, boolean[] allowed) {
        int alternatives = waitingIsOpen(j) ? 1 : 0;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            alternatives += allowed[c] ? 1 : 0;
        }
        return alternatives;
    }

    private boolean waitingIsOpen(int j) {
        return rows.mayWait(j) && (choice[j] < 0 || jobLosses.of(j, -1) <= openTo(j));
    }

    /**
     * Returns {@code size} jobs: those with the largest loss, then those with the smallest difference to their
     * second-best candidate.
     */
    private List<Integer> mostOpen(List<Integer> open, boolean[] allowed, int size) {
        return open.stream()
                .sorted(Comparator.comparingDouble((Integer j) -> -Math.max(0, jobLosses.of(j, choice[j]) - 1e-9))
                        .thenComparingDouble(j -> margin(j, allowed)))
                .limit(size)
                .toList();
    }

    /** Returns the difference between the largest and the second-largest reduced cost of the job. */
    private double margin(int j, boolean[] allowed) {
        double next = rows.mayWait(j) && choice[j] >= 0 ? 0 : Double.NEGATIVE_INFINITY;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (allowed[c] && c != choice[j]) {
                next = Math.max(next, jobLosses.reducedCost(c));
            }
        }
        return jobLosses.best(j) - next;
    }

    /**
     * Solves the program of {@code core}; with {@code all}, no job outside the core can improve, so that its dual bound
     * is valid for the whole problem.
     */
    private void improve(List<Integer> core, boolean[] allowed, boolean all, double share, double gap) {
        boolean[] open = new boolean[candidates.jobs()];
        core.forEach(j -> open[j] = true);
        RoundProgram program = new RoundProgram(fixing(open, allowed));
        program.obligationsAreMet(commitments);
        cuts.forEach(program::isNotPlacedTogether);
        losses.forEach(program::stallsAreCharged);
        program.maximizeWorth();
        program.hint(new PartialPlacement(choice, nodesOf(j -> open[j])));
        Solution solution = CpSat.solve(program, effort.share(share), gap);
        effort.spend(solution.work());
        boolean nothingFound = solution.choice() == null;
        stuck = all && nothingFound;
        if (all && !(nothingFound && worth == Double.NEGATIVE_INFINITY)) {
            // Every better plan, if there is one, is among those that the program decided.
            bound = Math.min(bound, Math.max(worth, solution.bestBound()));
        }
        int[] found = solution.choice();
        if (found != null && accept(found, open) && all) {
            proved = solution.end() == Solution.End.OPTIMAL;
        }
    }

    /** Returns the fixing of all jobs that are not open. */
    private VariableFixing fixing(boolean[] open, boolean[] allowed) {
        Map<Integer, int[]> offered = new LinkedHashMap<>();
        int[] fixed = choice.clone();
        ResidualCapacity residual = new ResidualCapacity(candidates);
        for (int j = 0; j < open.length; j++) {
            Allocation given = placement.allocations().get(j);
            if (open[j]) {
                offered.put(
                        j,
                        IntStream.range(candidates.first(j), candidates.end(j))
                                .filter(c -> allowed[c])
                                .toArray());
                fixed[j] = -1;
            } else if (given != null) {
                residual.occupy(j, given);
            }
        }
        return new VariableFixing(candidates, offered, fixed, residual, rows.restarts());
    }

    /** Accepts a better choice if it can be placed; otherwise adds a conflict cut and returns false. */
    private boolean accept(int[] found, boolean[] open) {
        double value = worthOf(found);
        if (value <= worth) {
            // Among plans with equal objective value the first stays, because it moves fewer jobs.
            return true;
        }
        PlacementResult placed =
                Placer.place(candidates, new PartialPlacement(found, nodesOf(j -> !open[j])), effort::seconds);
        if (!placed.conflicts().isEmpty()) {
            // A conflict cut is valid only if no job is fixed to its nodes.
            placed = Placer.place(candidates, PartialPlacement.withoutPlaces(found), effort::seconds);
        }
        if (!placed.conflicts().isEmpty()) {
            cuts.addAll(placed.conflicts());
            return false;
        }
        double own = placedWorth(found, placed);
        if (placed.unplaced().isEmpty() && own > worth) {
            choice = found;
            placement = placed;
            worth = own;
        }
        losses.addAll(placed.losses());
        return worthOf(found) >= value;
    }

    /** Returns the nodes of the jobs that {@code which} accepts, except those that keep their allocation. */
    private Map<Integer, List<Integer>> nodesOf(IntPredicate which) {
        Map<Integer, List<Integer>> known = new HashMap<>();
        placement.allocations().forEach((j, given) -> {
            if (which.test(j) && !candidates.get(choice[j]).isRetained()) {
                known.put(j, PartialPlacement.nodesOf(given, candidates.hardware()));
            }
        });
        return known;
    }

    /** Returns the objective value of the program: the utilities of the candidates less the losses with a cut. */
    private double worthOf(int[] plan) {
        double sum = 0;
        for (int c : plan) {
            sum += c < 0 ? 0 : rows.worth(c);
        }
        Map<Integer, Double> lost = new HashMap<>();
        for (StallLoss loss : losses) {
            if (loss.candidates().stream().allMatch(c -> plan[candidates.get(c).job()] == c)) {
                lost.merge(loss.nodeClass(), loss.utility(), Math::max);
            }
        }
        return sum - lost.values().stream().mapToDouble(loss -> loss).sum();
    }

    /** Returns the utilities of the candidates less those that the placed jobs lose. */
    private double placedWorth(int[] plan, PlacementResult placed) {
        double sum = 0;
        for (int j = 0; j < plan.length; j++) {
            if (plan[j] >= 0) {
                Allocation given = placed.allocations().get(j);
                double limit = rows.worth(plan[j]);
                sum += given != null && candidates.get(plan[j]).mayLose()
                        ? Math.min(limit, valuation.utility(candidates.job(j), given))
                        : limit;
            }
        }
        return sum;
    }
}
