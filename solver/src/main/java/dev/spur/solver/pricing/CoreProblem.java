package dev.spur.solver.pricing;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.program.VariableFixing;
import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.Solution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Improves a plan where prices leave the choice open, and proves how good it is.
 *
 * <p>With prices p and their bound, a plan falls short of the bound by exactly: for each job, how much more its best
 * choice at the prices is worth than the one it has; and for each row, the price of what is left unused. Jobs with such
 * a loss, and jobs whose next best choice is almost as good, make up the core; the others keep what the plan gives them
 * while the integer program decides the core. A choice that loses more than the whole gap can be in no better plan and
 * is left out.
 */
final class CoreProblem {
    private static final int FIRST_CORE = 150;
    /** With no more candidates than this left in all, the program decides every job, and its own bound counts. */
    private static final int SMALL = 6_000;
    /** Share of the work left that one solve of a core may take. */
    private static final double SHARE = 0.25;
    /** The same of a core that is tried out. */
    private static final double TRIAL_SHARE = 0.05;
    /** Solves of parts in a row without a better plan after which more of them are not worth their time. */
    private static final int MOST_IDLE = 3;

    private final CandidateSet candidates;
    private final List<Obligation> commitments;
    private final CouplingConstraints rows;
    private final ReducedCosts losses;
    private final double gapTarget;
    private final RemainingBudget effort;
    private final List<List<Integer>> cuts = new ArrayList<>();
    private int[] choice;
    private PlacementResult placement;
    private double worth;
    /** What losses at the prices are measured against; what the program proves later says nothing of them. */
    private final double dualBound;

    private final DualDecisions slack;

    private double bound;
    private boolean proved;
    /** True if the whole program has found nothing: asking again would not help. */
    private boolean stuck;

    /**
     * @param start a plan, which should meet what is commitments
     * @param placement where it sits
     */
    CoreProblem(
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
        this.losses = prices.jobLosses();
        this.dualBound = prices.settledBound();
        this.slack = prices.settled();
        this.bound = prices.bound();
        this.gapTarget = gapTarget;
        this.effort = effort;
        this.choice = start.clone();
        this.placement = placement;
        // a plan that owes somebody something is no plan: whatever meets all that is commitments replaces it
        this.worth = meetsAll(choice) ? worthOf(choice) : Double.NEGATIVE_INFINITY;
    }

    /**
     * Decides a first core for little work; returns whether that made the plan better, or the gap target was reached
     * before.
     */
    boolean tryOut() {
        double before = worth;
        if (!isCloseEnough() && effort.isLeft()) {
            boolean[] allowed = choicesOfBetterPlans();
            improve(mostOpen(openJobs(allowed), allowed, FIRST_CORE), allowed, false, TRIAL_SHARE);
        }
        return worth > before || isCloseEnough();
    }

    /**
     * Searches until the gap target is reached, the plan is proved best, the effort is spent, or solves no longer
     * improve the plan; returns whether it is proved.
     */
    boolean run() {
        int size = FIRST_CORE;
        int idle = 0;
        while (!proved && !isCloseEnough() && effort.isLeft() && idle < MOST_IDLE && !stuck) {
            double before = worth;
            boolean[] allowed = choicesOfBetterPlans();
            List<Integer> open = openJobs(allowed);
            int left = open.stream().mapToInt(j -> ways(j, allowed)).sum();
            boolean all = left <= SMALL || open.size() <= size || !meetsAll(choice);
            improve(all ? withEverythingThatMoves(open) : mostOpen(open, allowed, size), allowed, all, all ? 1 : SHARE);
            idle = all || worth > before ? 0 : idle + 1;
            size *= 2;
        }
        return proved;
    }

    PlacementResult placement() {
        return placement;
    }

    double worth() {
        return worth;
    }

    double bound() {
        return bound;
    }

    /** True if no plan is better, up to rounding. */
    boolean isProved() {
        return proved;
    }

    private boolean meetsAll(int[] plan) {
        return commitments.stream()
                .allMatch(obligation -> obligation.candidates().contains(plan[obligation.job()]));
    }

    private boolean isCloseEnough() {
        return bound - worth <= gapTarget * Math.abs(bound);
    }

    /** By candidate: true if a plan better than the present one could contain it. */
    private boolean[] choicesOfBetterPlans() {
        boolean[] allowed = new boolean[candidates.size()];
        for (int j = 0; j < candidates.jobs(); j++) {
            for (int c = candidates.first(j); c < candidates.end(j); c++) {
                allowed[c] = c == choice[j] || (rows.isOffered(c) && losses.of(j, c) <= openTo(j));
            }
        }
        return allowed;
    }

    /**
     * A way of job {@code j} that loses more than this is in no better plan: all others could gain at most what the
     * bound says.
     */
    private double openTo(int j) {
        return dualBound - worth + slack.slack(j);
    }

    /** Jobs with another way than their present one, waiting included. */
    private List<Integer> openJobs(boolean[] allowed) {
        return IntStream.range(0, candidates.jobs())
                .filter(j -> !candidates.mustStay(j) && hasAnotherWay(j, allowed))
                .boxed()
                .toList();
    }

    /**
     * The open jobs and those that have one way but no fixed place: while the program proves that nothing is better,
     * they must be free to sit elsewhere.
     */
    private List<Integer> withEverythingThatMoves(List<Integer> open) {
        Set<Integer> movable = new TreeSet<>(open);
        for (int j = 0; j < choice.length; j++) {
            if (choice[j] >= 0 && !candidates.get(choice[j]).kept()) {
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

    private int ways(int j, boolean[] allowed) {
        int ways = waitingIsOpen(j) ? 1 : 0;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            ways += allowed[c] ? 1 : 0;
        }
        return ways;
    }

    private boolean waitingIsOpen(int j) {
        return rows.mayWait(j) && (choice[j] < 0 || losses.of(j, -1) <= openTo(j));
    }

    /** The {@code size} jobs that lose most by their present choice, and then those with the closest next choice. */
    private List<Integer> mostOpen(List<Integer> open, boolean[] allowed, int size) {
        return open.stream()
                .sorted(Comparator.comparingDouble((Integer j) -> -Math.max(0, losses.of(j, choice[j]) - 1e-9))
                        .thenComparingDouble(j -> margin(j, allowed)))
                .limit(size)
                .toList();
    }

    /** How much less than the best choice the next best one is worth at the prices. */
    private double margin(int j, boolean[] allowed) {
        double next = rows.mayWait(j) && choice[j] >= 0 ? 0 : Double.NEGATIVE_INFINITY;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (allowed[c] && c != choice[j]) {
                next = Math.max(next, losses.reduced(c));
            }
        }
        return losses.best(j) - next;
    }

    /**
     * Lets the program decide {@code core}; {@code all} if no job outside could do better, so that its bound is one for
     * all.
     */
    private void improve(List<Integer> core, boolean[] allowed, boolean all, double share) {
        boolean[] open = new boolean[candidates.jobs()];
        core.forEach(j -> open[j] = true);
        RoundProgram program = new RoundProgram(
                candidates, new VariableFixing(candidates, open, choice, allowed, placement.allocations()));
        program.obligationsAreMet(commitments);
        cuts.forEach(program::isNotPlacedTogether);
        program.maximizeWorth();
        program.hint(choice);
        Solution solution = CpSat.solve(program, effort.share(share), gapTarget / 2);
        effort.spend(solution.work());
        boolean nothingFound = solution.choice() == null;
        stuck = all && nothingFound;
        if (all && !(nothingFound && worth == Double.NEGATIVE_INFINITY)) {
            // a better plan, if there is one, is among what the program decided
            bound = Math.min(bound, Math.max(worth, solution.bestBound()));
        }
        int[] found = solution.choice();
        if (found != null && accept(found, open) && all) {
            proved = solution.end() == Solution.End.OPTIMAL;
        }
    }

    /** Takes over a choice that is better, if it can be placed; returns false if it was cut off instead. */
    private boolean accept(int[] found, boolean[] open) {
        double value = worthOf(found);
        if (value <= worth) {
            // of equal plans the first stays: it moves fewer jobs
            return true;
        }
        PlacementResult placed =
                Placer.place(candidates, new PartialPlacement(found, nodesOfSettled(open)), effort::seconds);
        if (!placed.conflicts().isEmpty()) {
            // only where nobody is tied to its nodes is a conflict one of the choices themselves
            placed = Placer.place(candidates, PartialPlacement.withoutPlaces(found), effort::seconds);
        }
        if (!placed.conflicts().isEmpty()) {
            cuts.addAll(placed.conflicts());
            return false;
        }
        if (placed.unplaced().isEmpty()) {
            choice = found;
            placement = placed;
            worth = value;
        }
        return true;
    }

    private Map<Integer, List<Integer>> nodesOfSettled(boolean[] open) {
        Map<Integer, List<Integer>> known = new HashMap<>();
        placement.allocations().forEach((j, given) -> {
            if (!open[j] && !candidates.get(choice[j]).kept()) {
                known.put(
                        j,
                        given.placement().stream()
                                .map(piece -> candidates.hardware().indexOf(piece.node()))
                                .toList());
            }
        });
        return known;
    }

    private double worthOf(int[] plan) {
        double sum = 0;
        for (int c : plan) {
            sum += c < 0 ? 0 : rows.worth(c);
        }
        return sum;
    }
}
