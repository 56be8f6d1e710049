package dev.spur.solver.pricing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Finds prices at which the blocks, each deciding for itself, come closest to a plan: column generation with trial prices
 * half way between the best so far and those of the master (Wentges, "Weighted Dantzig-Wolfe decomposition", 1997).
 *
 * <p>At any prices p >= 0 the sum over blocks of the most that each gains, plus p * capacity, is an upper bound on every plan
 * (Lagrangian relaxation).
 */
final class PriceSearch {
    /** Below so many candidates a second thread costs more than it gives. */
    private static final int WORTH_PARALLEL = 20_000;

    /** States that a block may keep: while prices are being found, rough answers make good enough columns. */
    private static final int ROUGH = 100;

    private static final int CAREFUL = 2_000;
    /** Passes before which a lack of progress means nothing: the first prices of the master are wild. */
    private static final int LEAST_PASSES = 35;
    /** Passes without progress after which prices are good enough where answers are rough. */
    private static final int PATIENCE = 6;

    private final CouplingRows rows;
    private final List<Block> blocks;
    private final boolean parallel;
    private final double[] capacity;

    /** Rows of quotas that blocks see to: at a price of 0, they do not count elsewhere. */
    private final List<Integer> leftToBlocks = new ArrayList<>();

    private PriceSearch(CouplingRows rows) {
        this.rows = rows;
        this.blocks = rows.blocks();
        for (Block block : blocks) {
            if (block instanceof QuotaJobs jobs) {
                jobs.quotas().forEach(quota -> leftToBlocks.add(quota.row()));
            }
        }
        this.parallel = rows.candidates() >= WORTH_PARALLEL || !leftToBlocks.isEmpty();
        this.capacity =
                rows.rows().stream().mapToDouble(CouplingRows.Row::capacity).toArray();
        leftToBlocks.forEach(r -> capacity[r] = 0);
    }

    /**
     * Searches until the relative gap between bound and master is at most {@code target}, or {@code stop} says so.
     *
     * @param start by row, where the search starts
     */
    static Prices search(CouplingRows rows, double[] start, double target, int mostPasses, BooleanSupplier stop) {
        return new PriceSearch(rows).run(start, target, mostPasses, stop);
    }

    private Prices run(double[] start, double target, int mostPasses, BooleanSupplier stop) {
        Master master = new Master(rows, blocks.size(), priceLimits());
        try {
            double[] trial = start.clone();
            leftToBlocks.forEach(r -> trial[r] = 0);
            double[] next = trial;
            double[] best = trial;
            double bound = Double.POSITIVE_INFINITY;
            double mixture = Double.NEGATIVE_INFINITY;
            int passes = 0;
            int idle = 0;
            while (passes < mostPasses && !(passes > 0 && stop.getAsBoolean())) {
                passes++;
                makeClaimsFree(next);
                Answer[] answers = answers(next, ROUGH);
                double value = bound(next, answers);
                idle = bound - value > target * Math.abs(value) ? 0 : idle + 1;
                if (value < bound) {
                    bound = value;
                    best = next;
                }
                addColumns(answers, master);
                if (!master.solve()) {
                    break;
                }
                mixture = master.worth();
                if (bound - mixture <= target * Math.abs(bound) || isStuck(passes, idle)) {
                    break;
                }
                next = halfWay(best, master.prices());
            }
            return prices(best, bound, mixture, passes);
        } finally {
            master.delete();
        }
    }

    private boolean isStuck(int passes, int idle) {
        return !leftToBlocks.isEmpty() && passes >= LEAST_PASSES && idle > PATIENCE;
    }

    /** Asks the blocks once more at the best prices: what they decide there goes with them. */
    private Prices prices(double[] best, double bound, double mixture, int passes) {
        double again = bound(best, answers(best, CAREFUL));
        Settled settled = new Settled(rows.jobs(), best);
        blocks.forEach(block -> block.settle(settled));
        return new Prices(best, settled, again, Math.min(bound, again), mixture, passes);
    }

    private Answer[] answers(double[] prices, int care) {
        Answer[] answers = new Answer[blocks.size()];
        IntStream range = IntStream.range(0, answers.length);
        (parallel ? range.parallel() : range)
                .forEach(b -> answers[b] = blocks.get(b).answer(prices, care));
        return answers;
    }

    private double bound(double[] prices, Answer[] answers) {
        double bound = 0;
        for (int r = 0; r < prices.length; r++) {
            bound += prices[r] * capacity[r];
        }
        for (CouplingRows.Claim claim : rows.claims()) {
            double price = prices[claim.cover()] - sum(claim.counts(), prices);
            bound += claim.least() * price;
        }
        for (Answer answer : answers) {
            bound += answer.bound();
        }
        return bound;
    }

    private static void addColumns(Answer[] answers, Master master) {
        for (int b = 0; b < answers.length; b++) {
            if (answers[b].isFound()) {
                master.addColumn(b, answers[b].worth(), answers[b].use());
            }
        }
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
        for (int j = 0; j < rows.jobs(); j++) {
            most = Math.max(most, rows.largestWorth(j));
        }
        double[] limits = new double[capacity.length];
        Arrays.fill(limits, 10 * most);
        return limits;
    }
}
