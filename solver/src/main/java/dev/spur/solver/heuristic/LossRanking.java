package dev.spur.solver.heuristic;

import dev.spur.solver.candidate.CandidateSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Jobs of a changing plan in descending order of their loss: the difference between their largest reduced cost and that
 * of their present candidate. The order, the margins and the moved jobs are those of the last {@link #update}.
 */
final class LossRanking {
    private static final double MIN_LOSS = 1e-7;
    /** Loss by leaving of a job with a commitment and no other candidate. */
    private static final double IRREPLACEABLE = 1e6;

    private final PlanState state;
    private final CandidateSet candidates;
    private final CandidateRanking ranking;
    /** Loss by leaving, by job. */
    private final double[] margin;

    private final int[] losing;
    private int losingCount;
    private final int[] moved;
    private int movedCount;

    LossRanking(PlanState state, CandidateSet candidates, CandidateRanking ranking) {
        this.state = state;
        this.candidates = candidates;
        this.ranking = ranking;
        this.margin = new double[candidates.jobs()];
        this.losing = new int[candidates.jobs()];
        this.moved = new int[candidates.jobs()];
    }

    /** Ranks the jobs by loss, and computes the loss by leaving of each job. */
    void update() {
        losingCount = 0;
        movedCount = 0;
        double[] loss = new double[margin.length];
        for (int j = 0; j < loss.length; j++) {
            if (candidates.isPinned(j)) {
                continue;
            }
            if (candidates.retainedCandidate(j) >= 0 && !candidates.isRetained(state.choiceOf(j))) {
                moved[movedCount++] = j;
            }
            loss[j] = loss(j);
            margin[j] = Math.max(0, marginOf(j)) + 1e-3 * Math.abs(ranking.best(j)) + 1e-6;
            if (loss[j] > MIN_LOSS) {
                losing[losingCount++] = j;
            }
        }
        int[] sorted = IntStream.of(losing)
                .limit(losingCount)
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -loss[j]))
                .mapToInt(Integer::intValue)
                .toArray();
        System.arraycopy(sorted, 0, losing, 0, losingCount);
    }

    /** Returns the difference between the present reduced cost and that of the best other choice. */
    private double marginOf(int j) {
        double next = ranking.mayWait(j) ? 0 : -IRREPLACEABLE;
        for (int c : ranking.order(j)) {
            if (c != state.choiceOf(j)) {
                next = Math.max(next, ranking.reducedCost(c));
                break;
            }
        }
        return present(j) - next;
    }

    /** Returns whether no job has a loss. */
    boolean isEmpty() {
        return losingCount == 0;
    }

    /** Returns a job with a loss: the one after {@code share} of their order, from 0 to below 1. */
    int jobAfter(double share) {
        return losing[(int) (losingCount * share)];
    }

    /** Returns the number of jobs that do not have the allocation that they could retain. */
    int movedCount() {
        return movedCount;
    }

    /** Returns one of these jobs. */
    int movedJob(int i) {
        return moved[i];
    }

    /** Returns the loss of job {@code j} if it leaves, above 0; 0 for pinned jobs. */
    double margin(int j) {
        return margin[j];
    }

    /** Returns the reduced cost of the present candidate of job {@code j}; 0 if it waits. */
    double present(int j) {
        return ranking.reducedCost(state.choiceOf(j));
    }

    /** Returns the present loss of job {@code j}, at least 0 up to rounding. */
    double loss(int j) {
        return ranking.best(j) - present(j);
    }
}
