package dev.spur.solver.pricing;

import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.List;

/**
 * The rows that couple jobs, as a sparse matrix in arrays: candidate c takes {@code amount[k]} of row {@code row[k]} for k
 * from {@code start[c]} to {@code start[c + 1]}. Every plan satisfies every row; together they are weaker than the program.
 */
final class CouplingRows {
    /**
     * A resource.
     *
     * @param name as in the prices that users see
     * @param capacity how much there is
     */
    record Row(String name, double capacity) {}

    /**
     * What an account claims of those above it: at least its use, and at least what it keeps for itself.
     *
     * @param cover row that says use - claim <= 0
     * @param counts rows in which the claim counts as use
     * @param least smallest claim
     */
    record Claim(int cover, List<Integer> counts, double least) {
        Claim {
            counts = List.copyOf(counts);
        }
    }

    private final CandidateSet candidates;
    private final List<Row> rows;
    private final List<Claim> claims;
    private final int[] start;
    private final int[] row;
    private final double[] amount;
    private final double[] worth;
    private final boolean[] offered;
    private final boolean[] mayWait;
    private final int restartLimit;

    CouplingRows(
            CandidateSet candidates,
            List<Row> rows,
            List<Claim> claims,
            Entries entries,
            boolean[] offered,
            boolean[] mayWait,
            int restartLimit) {
        this.candidates = candidates;
        this.rows = List.copyOf(rows);
        this.claims = List.copyOf(claims);
        this.start = entries.starts();
        this.row = entries.rows();
        this.amount = entries.amounts();
        this.offered = offered;
        this.mayWait = mayWait;
        this.restartLimit = restartLimit;
        this.worth = new double[candidates.size()];
        for (int c = 0; c < worth.length; c++) {
            worth[c] = candidates.get(c).worth();
        }
    }

    List<Row> rows() {
        return rows;
    }

    List<Claim> claims() {
        return claims;
    }

    int jobs() {
        return candidates.jobs();
    }

    /** Worth of candidate {@code c} less what it takes at {@code prices}. */
    double reducedWorth(int c, double[] prices) {
        double value = worth[c];
        for (int k = start[c]; k < start[c + 1]; k++) {
            value -= prices[row[k]] * amount[k];
        }
        return value;
    }

    /** The candidate of job {@code j} with the highest reduced worth; -1 if waiting is better and allowed, or nothing is offered. */
    int best(int j, double[] prices) {
        int best = -1;
        double most = mayWait[j] ? 0 : Double.NEGATIVE_INFINITY;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (offered[c]) {
                double value = reducedWorth(c, prices);
                if (value > most) {
                    most = value;
                    best = c;
                }
            }
        }
        return best;
    }

    /** True if candidate {@code c} may be chosen. */
    boolean isOffered(int c) {
        return offered[c];
    }

    boolean mayWait(int j) {
        return mayWait[j];
    }

    /** Most jobs that may lose what they could keep; {@link Integer#MAX_VALUE} for no limit. */
    int restartLimit() {
        return restartLimit;
    }

    /** Jobs that lose in {@code choice} what they could keep. */
    int restarts(int[] choice) {
        int count = 0;
        for (int j = 0; j < choice.length; j++) {
            count += candidates.kept(j) >= 0 && choice[j] != candidates.kept(j) ? 1 : 0;
        }
        return count;
    }

    double worth(int c) {
        return worth[c];
    }

    /** Adds to {@code use} what candidate {@code c} takes of each row, {@code times} over. */
    void addUse(int c, double times, double[] use) {
        for (int k = start[c]; k < start[c + 1]; k++) {
            use[row[k]] += times * amount[k];
        }
    }

    /** The largest absolute worth of a candidate of job {@code j}. */
    double largestWorth(int j) {
        double most = 0;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            most = Math.max(most, Math.abs(worth[c]));
        }
        return most;
    }

    /** The candidate itself. */
    Candidate candidate(int c) {
        return candidates.get(c);
    }
}
