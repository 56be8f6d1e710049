package dev.spur.solver.pricing;

import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows that couple jobs, as a sparse matrix in arrays: candidate c takes {@code amount[k]} of row {@code row[k]}
 * for k from {@code start[c]} to {@code start[c + 1]}. Every plan satisfies every row; together they are weaker than
 * the program.
 */
final class CouplingConstraints {
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
    record ParentClaim(int cover, List<Integer> counts, double least) {
        ParentClaim {
            counts = List.copyOf(counts);
        }
    }

    /**
     * With so many candidates each pass takes so long that it pays to bring prices near their end without knapsacks,
     * and with few columns.
     */
    static final int MANY = 100_000;

    private final CandidateSet candidates;
    private final List<Row> rows;
    private final List<ParentClaim> claims;
    private final int[] start;
    private final int[] row;
    private final double[] amount;
    private final double[] worth;
    private final boolean[] offered;
    private final boolean[] mayWait;
    private final int restartLimit;
    private final int[] privateRow;
    private final CapacityRelaxation nodeRows;
    private final QuotaAccounts quotas;
    private final GroupCapCoupling caps;

    CouplingConstraints(
            CandidateSet candidates,
            List<Row> rows,
            List<ParentClaim> claims,
            SparseMatrixBuilder entries,
            boolean[] offered,
            boolean[] mayWait,
            int restartLimit,
            int[] privateRow,
            CapacityRelaxation nodeRows,
            QuotaAccounts quotas,
            GroupCapCoupling caps) {
        this.privateRow = privateRow;
        this.nodeRows = nodeRows;
        this.quotas = quotas;
        this.caps = caps;
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
            worth[c] = candidates.get(c).utility();
        }
    }

    List<Row> rows() {
        return rows;
    }

    List<ParentClaim> claims() {
        return claims;
    }

    CandidateSet candidates() {
        return candidates;
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

    /**
     * The candidate of job {@code j} with the highest reduced worth, of equals the one that keeps what the job holds;
     * -1 if waiting is better and allowed, or nothing is offered.
     */
    int best(int j, double[] prices) {
        int best = -1;
        double most = mayWait[j] ? 0 : Double.NEGATIVE_INFINITY;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (offered[c]) {
                double value = reducedWorth(c, prices);
                if (value > most || (value == most && c == candidates.kept(j))) {
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

    /** Candidates of job {@code j} that may be chosen, first the one that keeps what the job holds. */
    IntStream offered(int j) {
        int kept = candidates.kept(j);
        IntStream others =
                IntStream.range(candidates.first(j), candidates.end(j)).filter(c -> c != kept);
        IntStream all = kept < 0 ? others : IntStream.concat(IntStream.of(kept), others);
        return all.filter(c -> offered[c]);
    }

    /** How the rows state what nodes can hold. */
    CapacityRelaxation nodeRows() {
        return nodeRows;
    }

    /** The details with which rows could prove more than these, which state sums, the least first. */
    List<RelaxationLevel> finerDetails() {
        boolean hostsBind = nodeRows instanceof AggregatedCapacity capacity && capacity.hostsBind();
        List<RelaxationLevel> details = new ArrayList<>();
        if (hostsBind && candidates.size() >= MANY) {
            details.add(RelaxationLevel.PATTERNS);
        }
        if (quotas.someArePrivate() || caps.someArePrivate() || (hostsBind && details.isEmpty())) {
            details.add(RelaxationLevel.TENANTS);
        }
        return details;
    }

    /** What accounts of quotas may use at most. */
    List<QuotaAccounts.Limit> limits() {
        return quotas.limits();
    }

    /** The quotas of {@code tenant} alone, that are left to a block of its jobs. */
    List<LocalQuota> privateQuotas(String tenant) {
        return List.copyOf(quotas.privateQuotas(tenant).values());
    }

    /** The cap of the group of job {@code j}, if it is left to a block of jobs of its tenant; else null. */
    @Nullable
    LocalCap privateCap(int j) {
        return caps.privateCap(j);
    }

    /** The row of the private quota that {@code c} takes slots of; -1 for none. */
    int privateRow(int c) {
        return privateRow[c];
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

    /** Receives what a candidate takes of one row. */
    interface Use {
        void of(int row, double amount);
    }

    /**
     * Calls {@code use} for each row of which candidate {@code c} takes something; the amount is negative where it
     * provides.
     */
    void forEachUse(int c, Use use) {
        for (int k = start[c]; k < start[c + 1]; k++) {
            use.of(row[k], amount[k]);
        }
    }

    /**
     * By row what candidates that count in it are worth per unit, on average; where none does, the mean of the other
     * rows.
     */
    double[] worthPerUnit() {
        double[] sum = new double[rows.size()];
        int[] count = new int[rows.size()];
        for (int c = 0; c < worth.length; c++) {
            for (int k = start[c]; k < start[c + 1]; k++) {
                if (amount[k] != 0) {
                    sum[row[k]] += Math.abs(worth[c] / amount[k]);
                    count[row[k]]++;
                }
            }
        }
        Arrays.setAll(sum, r -> sum[r] / Math.max(1, count[r]));
        double mean = Arrays.stream(sum).filter(each -> each > 0).average().orElse(0);
        return Arrays.stream(sum).map(each -> each > 0 ? each : mean).toArray();
    }

    /** The candidate itself. */
    Candidate candidate(int c) {
        return candidates.get(c);
    }
}
