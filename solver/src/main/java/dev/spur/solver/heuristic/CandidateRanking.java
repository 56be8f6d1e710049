package dev.spur.solver.heuristic;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.relaxation.CouplingConstraints;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Reduced cost of each candidate, and the candidates of each job in descending order of it. */
final class CandidateRanking {
    private final CouplingConstraints constraints;
    private final CandidateSet candidates;
    private final double[] reduced;
    private final double[] best;
    /** Candidates by job; computed when needed. */
    private final int[][] order;

    /**
     * Computes the reduced costs.
     *
     * @param prices price by row
     */
    CandidateRanking(CouplingConstraints constraints, double[] prices) {
        this.constraints = constraints;
        this.candidates = constraints.candidates();
        this.reduced = new double[candidates.size()];
        this.best = new double[candidates.jobs()];
        this.order = new int[candidates.jobs()][];
        for (int c = 0; c < reduced.length; c++) {
            reduced[c] = constraints.reducedWorth(c, prices);
        }
        for (int j = 0; j < best.length; j++) {
            best[j] = constraints.mayWait(j) ? 0 : Double.NEGATIVE_INFINITY;
            for (int c = candidates.first(j); c < candidates.end(j); c++) {
                if (constraints.isOffered(c)) {
                    best[j] = Math.max(best[j], reduced[c]);
                }
            }
        }
    }

    /** Returns the reduced cost of candidate {@code c}; 0 for waiting, which is -1. */
    double reducedCost(int c) {
        return c < 0 ? 0 : reduced[c];
    }

    /** Returns whether job {@code j} has no commitment. */
    boolean mayWait(int j) {
        return constraints.mayWait(j);
    }

    /** Returns the largest reduced cost of the offered candidates of job {@code j}, waiting included if allowed. */
    double best(int j) {
        return best[j];
    }

    /** Returns the offered candidates of job {@code j}, the largest reduced cost first. Not to be modified. */
    int[] order(int j) {
        int[] known = order[j];
        if (known == null) {
            known = IntStream.range(candidates.first(j), candidates.end(j))
                    .filter(constraints::isOffered)
                    .boxed()
                    .sorted(Comparator.comparingDouble(c -> -reduced[c]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            order[j] = known;
        }
        return known;
    }
}
