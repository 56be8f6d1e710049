package dev.spur.solver.pricing;

import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A first plan read off prices: every job gets what was decided for it, as long as the cluster holds it. Who must run
 * comes first, then those who keep what they hold, then who would lose most by the second choice. Those for whom
 * nothing is left get the next best after all others.
 */
final class LagrangianHeuristic {
    private final CandidateSet candidates;
    private final CouplingConstraints rows;
    private final double[] prices;
    private final PartialSolution plan;

    private LagrangianHeuristic(CandidateSet candidates, CouplingConstraints rows, double[] prices) {
        this.candidates = candidates;
        this.rows = rows;
        this.prices = prices;
        this.plan = new PartialSolution(candidates, room -> rows.nodeRows().costOn(room, prices));
    }

    /**
     * Reads a plan off {@code prices}.
     *
     * @param wanted by job the candidate that it should get, or -1
     */
    static PartialSolution readOff(
            CandidateSet candidates, CouplingConstraints rows, DualSolution prices, int[] wanted) {
        LagrangianHeuristic incumbent = new LagrangianHeuristic(candidates, rows, prices.byRow());
        incumbent.giveEveryJob(wanted.clone());
        incumbent.fillWhatIsLeft();
        return incumbent.plan;
    }

    private void giveEveryJob(int[] wanted) {
        keepWhereTheLimitOfRestartsDemandsIt(wanted);
        List<Integer> order = IntStream.range(0, wanted.length)
                .filter(j -> wanted[j] >= 0)
                .boxed()
                .sorted(Comparator.comparing(
                                (Integer j) -> !candidates.get(wanted[j]).kept())
                        .thenComparingDouble(j -> -margin(j, wanted[j])))
                .toList();
        order.stream().filter(j -> !rows.mayWait(j) && !put(wanted[j])).forEach(this::putNextBest);
        List<Integer> left =
                order.stream().filter(j -> rows.mayWait(j) && !put(wanted[j])).toList();
        left.forEach(this::putNextBest);
    }

    /**
     * Of the jobs that could keep what they hold and would rather not, only those that gain most may have their way.
     */
    private void keepWhereTheLimitOfRestartsDemandsIt(int[] best) {
        if (rows.restartLimit() == Integer.MAX_VALUE) {
            return;
        }
        IntStream.range(0, best.length)
                .filter(j -> candidates.kept(j) >= 0 && best[j] != candidates.kept(j))
                .filter(j -> rows.isOffered(candidates.kept(j)))
                .boxed()
                .sorted(Comparator.comparingDouble(j -> reduced(candidates.kept(j)) - reduced(best[j])))
                .skip(rows.restartLimit())
                .forEach(j -> best[j] = candidates.kept(j));
    }

    private double reduced(int c) {
        return c < 0 ? 0 : rows.reducedWorth(c, prices);
    }

    /** What job {@code j} loses at the prices if it gets its second best choice: who loses most goes first. */
    private double margin(int j, int best) {
        double next = rows.mayWait(j) ? 0 : Double.NEGATIVE_INFINITY;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (c != best && rows.isOffered(c)) {
                next = Math.max(next, rows.reducedWorth(c, prices));
            }
        }
        return rows.reducedWorth(best, prices) - next;
    }

    /** Tries the other candidates of a job that are worth their price, the best first. */
    private void putNextBest(int j) {
        for (int c : byReducedWorth(j)) {
            if (rows.mayWait(j) && rows.reducedWorth(c, prices) <= 0) {
                return;
            }
            if (put(c)) {
                return;
            }
        }
    }

    /**
     * Lets each job have more, if what nobody wanted at the prices allows it; jobs that lost most by their choice
     * first.
     */
    private void fillWhatIsLeft() {
        double[] regret = new double[rows.jobs()];
        for (int j = 0; j < regret.length; j++) {
            int best = rows.best(j, prices);
            regret[j] = reduced(best) - reduced(plan.choiceOf(j));
        }
        IntStream.range(0, rows.jobs())
                .filter(j -> !candidates.mustStay(j) && !isBoundByTheLimitOfRestarts(j))
                .boxed()
                .sorted(Comparator.comparingDouble((Integer j) -> -regret[j]))
                .forEach(this::improve);
    }

    private boolean isBoundByTheLimitOfRestarts(int j) {
        return rows.restartLimit() < Integer.MAX_VALUE && candidates.kept(j) >= 0;
    }

    private void improve(int j) {
        int now = plan.choiceOf(j);
        double worth = now < 0 ? 0 : rows.worth(now);
        List<Integer> better = IntStream.range(candidates.first(j), candidates.end(j))
                .filter(c -> rows.isOffered(c) && rows.worth(c) > worth && couldHold(candidates.get(c)))
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -rows.worth(c)))
                .toList();
        if (better.isEmpty()) {
            return;
        }
        List<Integer> before = plan.nodesOf(j);
        plan.take(j);
        for (int c : better) {
            if (put(c)) {
                return;
            }
        }
        if (now >= 0) {
            plan.putOn(now, before);
        }
    }

    /** False if the free slots of the class and what the job itself holds are certainly too few. */
    private boolean couldHold(Candidate candidate) {
        if (candidate.kept()) {
            return true;
        }
        int now = plan.choiceOf(candidate.job());
        int own = now < 0 ? 0 : candidates.get(now).slots();
        return plan.room().slots(candidates.hardware().classes().get(candidate.nodeClass())) + own >= candidate.slots();
    }

    private boolean put(int c) {
        return rows.isOffered(c) && plan.put(c);
    }

    private List<Integer> byReducedWorth(int j) {
        return IntStream.range(candidates.first(j), candidates.end(j))
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -rows.reducedWorth(c, prices)))
                .toList();
    }
}
