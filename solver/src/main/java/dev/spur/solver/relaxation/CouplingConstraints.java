package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.resource.ResourceKey;
import dev.spur.solver.resource.RestartLimit;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Coupling constraints of the jobs as a sparse matrix in arrays. Candidate c uses {@code amount[k]} of row
 * {@code row[k]} for k from {@code start[c]} to {@code start[c + 1]}.
 *
 * <p>Every plan satisfies every row; together the rows are a relaxation of the integer program.
 */
public final class CouplingConstraints {
    /**
     * Available amount of a resource.
     *
     * @param key resource
     * @param capacity available amount
     */
    public record Row(ResourceKey key, double capacity) {}

    /**
     * Claim of an account on the accounts above it: at least its use, and at least its reserved slots.
     *
     * @param cover row use - claim <= 0
     * @param counts rows in which the claim counts as use
     * @param min minimum claim
     * @param limit row of the limit of the account; -1 without one
     * @param max maximum claim; {@link Integer#MAX_VALUE} without a limit
     */
    public record ParentClaim(int cover, List<Integer> counts, double min, int limit, double max) {
        public ParentClaim {
            counts = List.copyOf(counts);
        }
    }

    /**
     * Number of candidates from which passes are slow. Prices then first approach their optimum without knapsacks, and
     * with few columns.
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
    private final RestartLimit restarts;
    private final int restartRow;
    private final int[] privateRow;
    private final PatternCapacity patternCapacity;
    private final QuotaAccounts quotas;
    private final GroupCapCoupling caps;
    /** Demand by candidate; computed when needed. */
    private final @Nullable ResourceDemand[] demands;

    CouplingConstraints(
            CandidateSet candidates,
            List<Row> rows,
            List<ParentClaim> claims,
            SparseMatrixBuilder matrix,
            boolean[] offered,
            boolean[] mayWait,
            RestartLimit restarts,
            int restartRow,
            int[] privateRow,
            PatternCapacity patternCapacity,
            QuotaAccounts quotas,
            GroupCapCoupling caps) {
        this.privateRow = privateRow;
        this.patternCapacity = patternCapacity;
        this.quotas = quotas;
        this.caps = caps;
        this.candidates = candidates;
        this.rows = List.copyOf(rows);
        this.claims = List.copyOf(claims);
        this.start = matrix.starts();
        this.row = matrix.rows();
        this.amount = matrix.amounts();
        this.offered = offered;
        this.mayWait = mayWait;
        this.restarts = restarts;
        this.restartRow = restartRow;
        this.demands = new ResourceDemand[candidates.size()];
        this.worth = new double[candidates.size()];
        for (int c = 0; c < worth.length; c++) {
            worth[c] = candidates.get(c).utility();
        }
    }

    public List<Row> rows() {
        return rows;
    }

    public List<ParentClaim> claims() {
        return claims;
    }

    public CandidateSet candidates() {
        return candidates;
    }

    public int jobs() {
        return candidates.jobs();
    }

    /** Returns the reduced cost of candidate {@code c}: utility minus price of its use at {@code prices}. */
    public double reducedWorth(int c, double[] prices) {
        double value = worth[c];
        for (int k = start[c]; k < start[c + 1]; k++) {
            value -= prices[row[k]] * amount[k];
        }
        return value;
    }

    /**
     * Returns the candidate of job {@code j} with the largest reduced cost; among equal ones the one that keeps the
     * allocation. Returns -1 if waiting is better and allowed, or no candidate is offered.
     */
    public int best(int j, double[] prices) {
        int best = -1;
        double max = mayWait[j] ? 0 : Double.NEGATIVE_INFINITY;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (offered[c]) {
                double value = reducedWorth(c, prices);
                if (value > max || (value == max && c == candidates.retainedCandidate(j))) {
                    max = value;
                    best = c;
                }
            }
        }
        return best;
    }

    /** Returns whether candidate {@code c} may be chosen. */
    public boolean isOffered(int c) {
        return offered[c];
    }

    /** Withdraws all candidates other than {@code open}: no plan contains them. */
    void restrictTo(BitSet open) {
        for (int c = 0; c < offered.length; c++) {
            offered[c] &= open.get(c);
        }
    }

    /** Returns the candidates of job {@code j} that may be chosen; the one that keeps the allocation comes first. */
    public IntStream candidatesOf(int j) {
        int retained = candidates.retainedCandidate(j);
        IntStream others =
                IntStream.range(candidates.first(j), candidates.end(j)).filter(c -> c != retained);
        IntStream all = retained < 0 ? others : IntStream.concat(IntStream.of(retained), others);
        return all.filter(c -> offered[c]);
    }

    /** Returns the relaxation of node capacity. */
    public PatternCapacity patternCapacity() {
        return patternCapacity;
    }

    /** Returns the rows that count running jobs of groups. */
    List<Integer> jobsRows() {
        return caps.jobsRows();
    }

    /** Returns the row of restarts; -1 without a limit. */
    int restartRow() {
        return restartRow;
    }

    /** Returns the limits of quota accounts. */
    List<QuotaAccounts.Limit> limits() {
        return quotas.limits();
    }

    /** Returns the quotas that bind only jobs of {@code tenant} and are enforced by a subproblem of its jobs. */
    List<LocalQuota> privateQuotas(String tenant) {
        return List.copyOf(quotas.privateQuotas(tenant).values());
    }

    /** Returns whether knapsacks of tenants can lower the bound of the linear relaxation. */
    public boolean hasKnapsacks() {
        return !allPrivateQuotas().isEmpty() || caps.someArePrivate();
    }

    /**
     * Returns whether only slots of few accesses, quotas of several tenants and their like bind, which leave a small
     * integrality gap.
     */
    public boolean haveSmallGap() {
        return !hasKnapsacks() && !patternCapacity.hostsBind() && !patternCapacity.hasManyAccesses();
    }

    /** Returns the quotas that subproblems enforce. */
    public List<LocalQuota> allPrivateQuotas() {
        return quotas.allPrivateQuotas();
    }

    /** Returns the cap of the group of job {@code j} if a subproblem of its tenant enforces it; otherwise null. */
    @Nullable
    LocalCap privateCap(int j) {
        return caps.privateCap(j);
    }

    /** Returns the row of the local quota whose slots {@code c} uses; -1 for none. */
    int privateRow(int c) {
        return privateRow[c];
    }

    public boolean mayWait(int j) {
        return mayWait[j];
    }

    /** Returns the restart limit of the round. */
    public RestartLimit restarts() {
        return restarts;
    }

    public double worth(int c) {
        return worth[c];
    }

    /** Adds {@code times} the use of each row by candidate {@code c} to {@code use}. */
    public void addUse(int c, double times, double[] use) {
        for (int k = start[c]; k < start[c + 1]; k++) {
            use[row[k]] += times * amount[k];
        }
    }

    /** Consumer of the use of one row by a candidate. */
    interface Use {
        void of(int row, double amount);
    }

    /**
     * Calls {@code use} for each row with an entry of candidate {@code c}; the amount is negative where it provides
     * capacity.
     */
    void forEachUse(int c, Use use) {
        for (int k = start[c]; k < start[c + 1]; k++) {
            use.of(row[k], amount[k]);
        }
    }

    /**
     * Returns by row the mean utility per unit of the candidates that use it; for a row without use, the mean of the
     * other rows.
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

    /** Returns the demand of candidate {@code c}. Thread-safe. */
    public ResourceDemand demand(int c) {
        ResourceDemand known = demands[c];
        if (known == null) {
            known = ResourceDemand.of(candidates, candidates.get(c));
            demands[c] = known;
        }
        return known;
    }

    /** Returns candidate {@code c}. */
    Candidate candidate(int c) {
        return candidates.get(c);
    }
}
