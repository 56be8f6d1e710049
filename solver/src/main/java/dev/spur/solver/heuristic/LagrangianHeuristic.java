package dev.spur.solver.heuristic;

import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PieceCost;
import dev.spur.solver.relaxation.CouplingConstraints;
import dev.spur.solver.relaxation.DualSolution;
import dev.spur.solver.relaxation.OpportunityCost;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lagrangian heuristic: a feasible plan from prices. Every job gets its wanted candidate while capacity is left.
 *
 * <p>The order is: jobs that keep their allocation, jobs with a commitment, then descending loss by the second-best
 * candidate. Jobs that do not fit get their next best candidate after all others. Jobs with a commitment come first
 * only where they do not all fit otherwise: they can take any nodes, those that keep their allocation only theirs.
 * Where this does not serve them either, they stay as in a known plan.
 */
public final class LagrangianHeuristic {
    private final CandidateSet candidates;
    private final CouplingConstraints constraints;
    private final double[] prices;
    private final PlanState plan;
    private final PieceCost cost;

    private LagrangianHeuristic(CandidateSet candidates, CouplingConstraints constraints, double[] prices) {
        this.candidates = candidates;
        this.constraints = constraints;
        this.prices = prices;
        this.plan = new PlanState(constraints);
        this.cost = new OpportunityCost(constraints, plan.residual().cluster(), prices);
    }

    /**
     * Returns a plan at {@code dualSolution}.
     *
     * @param desired preferred candidate by job, or -1
     * @param knownPlan a plan; its jobs with a commitment stay where they are if no other order serves all of these
     */
    public static PlanState readOff(
            CandidateSet candidates,
            CouplingConstraints constraints,
            DualSolution dualSolution,
            int[] desired,
            PlanState knownPlan) {
        PlanState plan = new LagrangianHeuristic(candidates, constraints, dualSolution.byRow()).plan(desired, true);
        if (!meetsCommitments(constraints, plan)) {
            plan = new LagrangianHeuristic(candidates, constraints, dualSolution.byRow()).plan(desired, false);
        }
        if (meetsCommitments(constraints, plan) || !meetsCommitments(constraints, knownPlan)) {
            return plan;
        }
        LagrangianHeuristic heuristic = new LagrangianHeuristic(candidates, constraints, dualSolution.byRow());
        heuristic.keepCommitments(knownPlan);
        return heuristic.plan(desired, true);
    }

    private static boolean meetsCommitments(CouplingConstraints constraints, PlanState plan) {
        return IntStream.range(0, constraints.jobs()).allMatch(j -> constraints.mayWait(j) || plan.choiceOf(j) >= 0);
    }

    private void keepCommitments(PlanState knownPlan) {
        IntStream.range(0, constraints.jobs())
                .filter(j -> !constraints.mayWait(j))
                .forEach(j -> plan.putOn(knownPlan.choiceOf(j), knownPlan.nodesOf(j)));
    }

    private PlanState plan(int[] desired, boolean retainedFirst) {
        giveEveryJob(desired.clone(), retainedFirst);
        fillWhatIsLeft();
        return plan;
    }

    private void giveEveryJob(int[] desired, boolean retainedFirst) {
        limitRestarts(desired);
        List<Integer> order = IntStream.range(0, desired.length)
                .filter(j -> desired[j] >= 0)
                .boxed()
                .sorted(Comparator.comparing(
                                (Integer j) -> !candidates.get(desired[j]).isRetained())
                        .thenComparingDouble(j -> -margin(j, desired[j])))
                .toList();
        if (retainedFirst) {
            order.stream()
                    .filter(j -> isLeft(j) && candidates.get(desired[j]).isRetained())
                    .forEach(j -> put(desired[j]));
        }
        order.stream()
                .filter(j -> !constraints.mayWait(j) && isLeft(j) && !put(desired[j]))
                .forEach(this::putNextBest);
        List<Integer> left = order.stream()
                .filter(j -> constraints.mayWait(j) && isLeft(j) && !put(desired[j]))
                .toList();
        left.forEach(this::putNextBest);
    }

    private boolean isLeft(int j) {
        return plan.choiceOf(j) < 0;
    }

    /**
     * Limits restarts: of the jobs that could keep their allocation but prefer another candidate, only those with the
     * largest gain may change.
     */
    private void limitRestarts(int[] best) {
        IntStream.range(0, best.length)
                .filter(j -> candidates.retainedCandidate(j) >= 0 && !candidates.isRetained(best[j]))
                .filter(j -> constraints.isOffered(candidates.retainedCandidate(j)))
                .boxed()
                .sorted(Comparator.comparingDouble(
                        j -> reducedCost(candidates.retainedCandidate(j)) - reducedCost(best[j])))
                .skip(constraints.restarts().limit())
                .forEach(j -> best[j] = candidates.retainedCandidate(j));
    }

    private double reducedCost(int c) {
        return c < 0 ? 0 : constraints.reducedWorth(c, prices);
    }

    /** Returns the loss of job {@code j} by its second-best candidate; jobs with a larger loss come first. */
    private double margin(int j, int best) {
        double next = constraints.mayWait(j) ? 0 : Double.NEGATIVE_INFINITY;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (c != best && constraints.isOffered(c)) {
                next = Math.max(next, constraints.reducedWorth(c, prices));
            }
        }
        return constraints.reducedWorth(best, prices) - next;
    }

    /** Tries the other candidates of a job with a positive reduced cost, in descending order. */
    private void putNextBest(int j) {
        for (int c : byReducedWorth(j)) {
            if (constraints.mayWait(j) && constraints.reducedWorth(c, prices) <= 0) {
                return;
            }
            if (put(c)) {
                return;
            }
        }
    }

    /**
     * Gives jobs candidates of higher utility if the unused capacity allows it; jobs with the largest loss come first.
     */
    private void fillWhatIsLeft() {
        double[] regret = new double[constraints.jobs()];
        for (int j = 0; j < regret.length; j++) {
            int best = constraints.best(j, prices);
            regret[j] = reducedCost(best) - reducedCost(plan.choiceOf(j));
        }
        IntStream.range(0, constraints.jobs())
                .filter(j -> !candidates.isPinned(j) && !isBoundByRestartLimit(j))
                .boxed()
                .sorted(Comparator.comparingDouble((Integer j) -> -regret[j]))
                .forEach(this::improve);
    }

    private boolean isBoundByRestartLimit(int j) {
        return constraints.restarts().applies() && candidates.retainedCandidate(j) >= 0;
    }

    private void improve(int j) {
        int now = plan.choiceOf(j);
        double worth = now < 0 ? 0 : constraints.worth(now);
        List<Integer> better = IntStream.range(candidates.first(j), candidates.end(j))
                .filter(c -> constraints.isOffered(c) && constraints.worth(c) > worth && couldHold(candidates.get(c)))
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -constraints.worth(c)))
                .toList();
        if (better.isEmpty()) {
            return;
        }
        int[] before = plan.nodesOf(j);
        plan.remove(j);
        for (int c : better) {
            if (put(c)) {
                return;
            }
        }
        if (now >= 0) {
            plan.putOn(now, before);
        }
    }

    /** Returns false if the free slots of the class plus the slots of the job itself certainly do not suffice. */
    private boolean couldHold(Candidate candidate) {
        if (candidate.isRetained()) {
            return true;
        }
        int now = plan.choiceOf(candidate.job());
        int own = now < 0 ? 0 : candidates.get(now).slots();
        return plan.residual().cluster().slots(candidate) + own >= candidate.slots();
    }

    private boolean put(int c) {
        return constraints.isOffered(c) && plan.put(c, cost);
    }

    private List<Integer> byReducedWorth(int j) {
        return IntStream.range(candidates.first(j), candidates.end(j))
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -constraints.reducedWorth(c, prices)))
                .toList();
    }
}
