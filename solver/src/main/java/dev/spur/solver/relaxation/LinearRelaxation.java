package dev.spur.solver.relaxation;

import dev.spur.model.cluster.Node;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.dual.GubProgram;
import dev.spur.solver.dual.GubProgram.SetKind;
import dev.spur.solver.dual.GubProgramBuilder;
import dev.spur.solver.dual.LagrangianDual;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Linear relaxation of a round with packing patterns of nodes. It translates the coupling constraints into a
 * {@link GubProgram}, and the dual solution of that program back into prices of their rows.
 *
 * <p>A quota account is one row: use - borrowed <= reserved, where 0 <= borrowed <= limit - reserved counts as use of
 * the account above. Its price lambda stands for two rows of the coupling constraints: the claim on the account above
 * has the price min(lambda, lambda above), the limit has the rest.
 */
public final class LinearRelaxation {
    /** Number of rows above which a dense system is too slow. */
    private static final int MAX_ROWS = 1_500;

    /** Objective value that typical prices assume at least. */
    private static final double MIN_OBJECTIVE = 1e-6;

    /** Ratio of bound to objective value from which the typical prices are too low; the bound then replaces it. */
    private static final double MISESTIMATE = 5;

    /** Least start price of a row, as a share of its scale. */
    private static final double MIN_PRICE = 1e-3;

    /** Price, as a share of its scale, below which a row counts as not binding. */
    private static final double NOISE = 1e-4;

    private final CouplingConstraints constraints;
    private final CandidateSet candidates;
    private final double[] capacity;
    private final double[] scale;
    private final double[] start;
    /** True for limits that the set of their account already enforces. */
    private final boolean[] redundant;

    private final List<LocalQuota> localQuotas;
    private final double objective;
    private final double slotPrice;
    private final PatternCapacity capacityRows;

    private LinearRelaxation(CouplingConstraints constraints, double objective) {
        this.constraints = constraints;
        this.candidates = constraints.candidates();
        this.capacityRows = constraints.patternCapacity();
        this.objective = Math.max(objective, MIN_OBJECTIVE);
        this.slotPrice = this.objective / capacityRows.slots();
        this.capacity = constraints.rows().stream()
                .mapToDouble(CouplingConstraints.Row::capacity)
                .toArray();
        this.scale = new double[capacity.length];
        this.start = new double[capacity.length];
        this.redundant = new boolean[capacity.length];
        this.localQuotas = constraints.allPrivateQuotas();
    }

    /** Returns whether the methods for arrays apply: packing patterns are enumerated, and rows are few enough. */
    public static boolean applies(CouplingConstraints constraints) {
        return constraints.rows().size() <= MAX_ROWS
                && constraints.patternCapacity().isEnumerated()
                && constraints.patternCapacity().slots() > 0;
    }

    /**
     * Minimizes the dual bound. Candidates that no plan can contain are withdrawn from {@code constraints}.
     *
     * @param objective objective value of a feasible plan, from which typical prices follow
     * @param running number of jobs that run in that plan
     */
    public static RelaxationSolution solve(
            CouplingConstraints constraints, double objective, int running, BooleanSupplier stop) {
        RelaxationSolution found = new LinearRelaxation(constraints, objective).solve(running, stop);
        if (found.bound() <= MISESTIMATE * objective || stop.getAsBoolean()) {
            return found;
        }
        RelaxationSolution again = new LinearRelaxation(constraints, found.bound()).solve(running, stop);
        return again.bound() < found.bound() ? again : found;
    }

    private RelaxationSolution solve(int running, BooleanSupplier stop) {
        scaleRows();
        GubProgram program = program().presolve();
        BitSet open = new BitSet(candidates.size());
        for (int origin : program.origins()) {
            if (origin >= 0) {
                open.set(origin);
            }
        }
        constraints.restrictTo(open);
        LagrangianDual.Sizes sizes = new LagrangianDual.Sizes(
                objective,
                Math.max(1, running),
                Math.max(1, Math.min(candidates.jobs(), 2 * capacityRows.nodes())),
                Math.max(1, capacityRows.nodes()),
                slotPrice,
                candidates.size());
        double[] limits = DualLimits.of(constraints);
        boolean hasMemory = !candidates.problem().memory().duals().isEmpty();
        double[] remembered = hasMemory ? previousPrices(limits) : start;
        boolean warm = hasMemory && program.bound(remembered) <= program.bound(start);
        LagrangianDual.Solution solution =
                LagrangianDual.minimize(program, warm ? remembered : start, sizes, warm, stop);
        double[] lambda = withoutNoise(program, solution);
        double bound = program.bound(lambda);
        double[] prices = pricesOfRows(lambda);
        Arrays.setAll(prices, r -> Math.min(prices[r], limits[r]));
        return new RelaxationSolution(prices, dual(prices, bound, solution.share()));
    }

    /**
     * Returns the price by row of the last round, above 0.
     *
     * @param limits highest price by row
     */
    private double[] previousPrices(double[] limits) {
        double[] prices =
                WarmStartDuals.byRow(constraints, candidates.problem().memory().duals());
        for (CouplingConstraints.ParentClaim claim : constraints.claims()) {
            if (claim.limit() >= 0) {
                prices[claim.cover()] += prices[claim.limit()];
            }
        }
        Arrays.setAll(prices, r -> Math.max(Math.min(prices[r], limits[r]), MIN_PRICE * scale[r]));
        return prices;
    }

    /** Returns the prices with those of rows that do not bind set to 0, unless the bound rises notably. */
    private double[] withoutNoise(GubProgram program, LagrangianDual.Solution solution) {
        double[] prices = solution.prices().clone();
        for (int r = 0; r < prices.length; r++) {
            prices[r] = prices[r] < NOISE * scale[r] ? 0 : prices[r];
        }
        double tolerance = 1e-6 * Math.abs(solution.bound());
        return program.bound(prices) <= solution.bound() + tolerance ? prices : solution.prices();
    }

    private DualSolution dual(double[] prices, double bound, double[] share) {
        DualDecisions decisions = new DualDecisions(candidates.jobs(), prices);
        int[] likeliest = new int[candidates.jobs()];
        for (int j = 0; j < likeliest.length; j++) {
            decisions.choose(j, constraints.best(j, prices));
            likeliest[j] = candidateOfLargestShare(j, share);
        }
        return new DualSolution(
                prices, decisions, likeliest, bound, bound, bound, 1, new ReducedCosts(constraints, prices));
    }

    /** Returns the candidate of job {@code j} with the largest share; -1 if waiting has a larger one. */
    private int candidateOfLargestShare(int j, double[] share) {
        int found = -1;
        double max = 0;
        double sum = 0;
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            sum += share[c];
            if (share[c] > max) {
                max = share[c];
                found = c;
            }
        }
        return constraints.mayWait(j) && 1 - sum > max ? -1 : found;
    }

    private void scaleRows() {
        Arrays.fill(scale, slotPrice);
        Arrays.fill(start, 0.01 * slotPrice);
        capacityRows.forEachRow((row, typicalSlots, isInner) -> {
            scale[row] = slotPrice * typicalSlots;
            start[row] = (isInner ? 0.01 : 0.8) * scale[row];
        });
        constraints.jobsRows().forEach(row -> {
            scale[row] = 4 * slotPrice;
            start[row] = 0.01 * scale[row];
        });
        if (constraints.restartRow() >= 0) {
            scale[constraints.restartRow()] = objective / candidates.jobs();
            start[constraints.restartRow()] = 0.01 * scale[constraints.restartRow()];
        }
        constraints.limits().stream()
                .filter(limit -> limit.row() >= 0)
                .forEach(limit -> start[limit.row()] = 0.1 * slotPrice);
        constraints.claims().forEach(claim -> start[claim.cover()] = 0.1 * slotPrice);
    }

    private GubProgram program() {
        for (CouplingConstraints.ParentClaim claim : constraints.claims()) {
            if (claim.limit() >= 0) {
                redundant[claim.limit()] = true;
            }
            capacity[claim.cover()] += claim.min();
            claim.counts().forEach(r -> capacity[r] -= claim.min());
        }
        for (LocalQuota quota : localQuotas) {
            if (!quota.counts().isEmpty()) {
                capacity[quota.row()] = quota.retainedSlots();
                quota.counts().forEach(r -> capacity[r] -= quota.retainedSlots());
            }
        }
        for (int r = 0; r < capacity.length; r++) {
            capacity[r] = redundant[r] ? 0 : capacity[r];
        }
        GubProgramBuilder builder = new GubProgramBuilder(capacity, scale);
        for (int j = 0; j < candidates.jobs(); j++) {
            addJob(j, builder);
        }
        capacityRows.addSets(builder);
        // An account without a limit borrows less than all slots, those of pinned jobs included, plus one.
        int all = 1
                + candidates.clusterIndex().nodes().stream()
                        .mapToInt(Node::slots)
                        .sum();
        for (CouplingConstraints.ParentClaim claim : constraints.claims()) {
            addAccount(claim.cover(), claim.counts(), Math.min(all, claim.max() - claim.min()), builder);
        }
        for (LocalQuota quota : localQuotas) {
            if (!quota.counts().isEmpty()) {
                addAccount(quota.row(), quota.counts(), quota.max() - quota.retainedSlots(), builder);
            }
        }
        return builder.build();
    }

    private void addJob(int j, GubProgramBuilder builder) {
        boolean any = constraints.mayWait(j);
        if (any) {
            builder.member(0, -1);
        }
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            if (constraints.isOffered(c)) {
                any = true;
                builder.member(constraints.worth(c), c);
                constraints.forEachUse(c, (row, amount) -> {
                    if (!redundant[row]) {
                        builder.entry(row, amount);
                    }
                });
            }
        }
        if (any) {
            builder.endSet(SetKind.JOB, 1);
        }
    }

    private void addAccount(int row, List<Integer> counts, double total, GubProgramBuilder builder) {
        if (total <= 0) {
            return;
        }
        builder.member(0, -1);
        builder.entry(row, -1);
        for (int above : counts) {
            if (!redundant[above]) {
                builder.entry(above, 1);
            }
        }
        builder.member(0, -1);
        builder.endSet(SetKind.ACCOUNT, total);
    }

    private double[] pricesOfRows(double[] lambda) {
        double[] prices = lambda.clone();
        for (CouplingConstraints.ParentClaim claim : constraints.claims()) {
            double above = 0;
            for (int r : claim.counts()) {
                above += redundant[r] ? 0 : lambda[r];
            }
            double own = lambda[claim.cover()];
            prices[claim.cover()] = Math.min(own, above);
            if (claim.limit() >= 0) {
                prices[claim.limit()] = Math.max(0, own - above);
            }
        }
        return prices;
    }
}
