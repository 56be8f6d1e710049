package dev.spur.solver.pricing;

import dev.spur.solver.candidate.CandidateSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Finds prices at which the jobs, each choosing for itself, come closest to a plan: column generation with trial prices half
 * way between the best so far and those of the master (Wentges, "Weighted Dantzig-Wolfe decomposition", 1997).
 *
 * <p>At any prices p >= 0 the sum over jobs of the best worth less p * use, plus p * capacity, is an upper bound on every
 * plan (Lagrangian relaxation).
 */
final class PriceSearch {
    /** Groups of jobs, each with a column of its own per pass. */
    private static final int GROUPS = 60;
    /** Below so many candidates a second thread costs more than it gives. */
    private static final int WORTH_PARALLEL = 20_000;

    private final CouplingRows rows;
    private final List<int[]> groups;
    private final boolean parallel;
    private final double[] capacity;

    private PriceSearch(CouplingRows rows, CandidateSet candidates) {
        this.rows = rows;
        this.groups = JobGroups.of(candidates, GROUPS);
        this.parallel = candidates.size() >= WORTH_PARALLEL;
        this.capacity =
                rows.rows().stream().mapToDouble(CouplingRows.Row::capacity).toArray();
    }

    /**
     * Searches until the relative gap between bound and master is at most {@code target}, or {@code stop} says so.
     *
     * @param start prices of the last round by name; where the search starts
     */
    static Prices search(
            CouplingRows rows,
            CandidateSet candidates,
            Map<String, Double> start,
            double target,
            int mostPasses,
            BooleanSupplier stop) {
        return new PriceSearch(rows, candidates).run(start, target, mostPasses, stop);
    }

    private Prices run(Map<String, Double> start, double target, int mostPasses, BooleanSupplier stop) {
        Master master = new Master(rows, groups.size(), priceLimits());
        try {
            double[] trial = rows.rows().stream()
                    .mapToDouble(row -> start.getOrDefault(row.name(), 0.0))
                    .toArray();
            double[] best = trial;
            double bound = Double.POSITIVE_INFINITY;
            double mixture = Double.NEGATIVE_INFINITY;
            int passes = 0;
            while (passes < mostPasses && !(passes > 0 && stop.getAsBoolean())) {
                passes++;
                makeClaimsFree(trial);
                double value = boundAt(trial, master);
                if (value < bound) {
                    bound = value;
                    best = trial;
                }
                if (!master.solve()) {
                    break;
                }
                mixture = master.worth();
                if (bound - mixture <= target * Math.abs(bound)) {
                    break;
                }
                trial = halfWay(best, master.prices());
            }
            return new Prices(best, bound, mixture, passes);
        } finally {
            master.delete();
        }
    }

    /** The bound at {@code prices}; the choices made there become columns of {@code master}. */
    private double boundAt(double[] prices, Master master) {
        Column[] columns = new Column[groups.size()];
        IntStream range = IntStream.range(0, columns.length);
        (parallel ? range.parallel() : range).forEach(g -> columns[g] = choose(groups.get(g), prices));
        double bound = 0;
        for (int r = 0; r < prices.length; r++) {
            bound += prices[r] * capacity[r];
        }
        for (CouplingRows.Claim claim : rows.claims()) {
            double price = prices[claim.cover()] - sum(claim.counts(), prices);
            bound += claim.least() * price;
        }
        for (int g = 0; g < columns.length; g++) {
            bound += columns[g].reducedWorth;
            master.addColumn(g, columns[g].worth, columns[g].use);
        }
        return bound;
    }

    private Column choose(int[] jobs, double[] prices) {
        Column column = new Column(prices.length);
        for (int j : jobs) {
            int c = rows.best(j, prices);
            if (c >= 0) {
                column.worth += rows.worth(c);
                column.reducedWorth += rows.reducedWorth(c, prices);
                rows.addUse(c, 1, column.use);
            }
        }
        return column;
    }

    /** Lowers prices until no claim could gain without limit: what it covers is worth no more than where it counts. */
    private void makeClaimsFree(double[] prices) {
        for (CouplingRows.Claim claim : rows.claims()) {
            prices[claim.cover()] = Math.min(prices[claim.cover()], sum(claim.counts(), prices));
        }
    }

    private static double sum(List<Integer> rows, double[] prices) {
        double sum = 0;
        for (int r : rows) {
            sum += prices[r];
        }
        return sum;
    }

    private static double[] halfWay(double[] best, double[] master) {
        double[] trial = new double[best.length];
        Arrays.setAll(trial, r -> (best[r] + master[r]) / 2);
        return trial;
    }

    /** For each row, far more than any job would pay for a unit. */
    private double[] priceLimits() {
        double most = 1e-6;
        for (int[] jobs : groups) {
            for (int j : jobs) {
                most = Math.max(most, rows.largestWorth(j));
            }
        }
        double[] limits = new double[capacity.length];
        Arrays.fill(limits, 10 * most);
        return limits;
    }

    /** What a group chooses at some prices. */
    private static final class Column {
        private double worth;
        private double reducedWorth;
        private final double[] use;

        Column(int rows) {
            use = new double[rows];
        }
    }
}
