package dev.spur.solver.dual;

import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Minimization of the dual bound of a round's linear relaxation. A few smoothed Newton steps give start prices. An
 * interior-point method continues to the optimum; in the largest rounds further Newton steps are faster.
 */
public final class LagrangianDual {
    /** Number of candidates from which Newton's method replaces the interior-point method. */
    private static final int LARGE = 350_000;

    /** Number of nodes from which Newton converges faster: few of their packing patterns matter. */
    private static final int MANY_NODES = 1_000;

    /** Number of rows up to which the same holds from {@link #WIDE} candidates: a step costs little. */
    private static final int FEW_ROWS = 50;

    private static final int WIDE = 20_000;

    private static final int MAX_ITERATIONS = 150;
    /** Smoothings of the start of the interior-point method, and number of Newton steps for each. */
    private static final double[] START_SMOOTHINGS = {0.01, 0.003};

    private static final int START_STEPS = 12;
    private static final double[] SMOOTHINGS = {0.01, 0.004, 0.0015, 0.0006, 0.00025, 0.0001, 0.00004, 0.00001, 0.000003
    };
    /** Last smoothing where steps are slow. */
    private static final double LAST_OF_MANY_ROWS = 0.00004;
    /** Smoothing down to which Newton steps are made even without time. */
    private static final double MIN_SMOOTHING = 0.0015;

    private static final int STEPS = 30;
    /** First parameter of the central path, in mean utilities of a running job. */
    private static final double START_PATH = 0.006;
    /**
     * Perturbation of the values, in mean utilities of a job: the optimum becomes nearly a vertex, with few fractional
     * jobs.
     */
    private static final double PERTURBATION = 1e-5;

    /** Share of its limit at which a price starts at most, and from which it counts as limited. */
    private static final double START_LIMIT = 0.9;

    private static final double AT_LIMIT = 0.99;
    /** Factor by which limits of prices rise, and how often. */
    private static final double RAISE = 10;

    private static final int MAX_RAISES = 4;
    private static final double TOLERANCE = 1e-4;
    /** Tolerance for rounds with more than {@link #MANY} candidates. */
    private static final double ROUGH_TOLERANCE = 1e-3;

    private static final int MANY = 100_000;

    private LagrangianDual() {}

    /**
     * Typical sizes of a round, from which scales follow.
     *
     * @param objective objective value of a feasible plan
     * @param running number of running jobs of that plan
     * @param choices number of jobs that decide, at most two for each node
     * @param nodes number of nodes
     * @param slotPrice typical price of a slot
     * @param candidates number of candidates; origins are smaller
     */
    public record Sizes(double objective, int running, int choices, int nodes, double slotPrice, int candidates) {}

    /** Dual and primal solution. */
    public static final class Solution {
        private final double[] prices;
        private final double bound;
        private final double[] share;

        Solution(double[] prices, double bound, double[] share) {
            this.prices = prices;
            this.bound = bound;
            this.share = share;
        }

        /** Returns the price by row, at least 0. Not to be modified. */
        public double[] prices() {
            return prices;
        }

        /** Returns the dual bound at the prices. */
        public double bound() {
            return bound;
        }

        /** Returns the share of each candidate in the fractional solution, by origin. Not to be modified. */
        public double[] share() {
            return share;
        }
    }

    /**
     * Minimizes the bound until it is optimal within the tolerance or {@code stop} returns true.
     *
     * @param program the linear program, presolved
     * @param from start price by row, above 0
     * @param warm whether these prices are close to optimal, so that the first smoothing is left out
     */
    public static Solution minimize(
            GubProgram program, double[] from, Sizes sizes, boolean warm, BooleanSupplier stop) {
        SmoothedDual smoothedDual = new SmoothedDual(program, smoothing(program, sizes), sizes.objective());
        if (sizes.candidates() >= LARGE || sizes.nodes() >= MANY_NODES || isWide(program, sizes)) {
            double last = isWide(program, sizes) ? 0 : LAST_OF_MANY_ROWS;
            double[] prices = from;
            for (double tau : smoothings(SMOOTHINGS, warm)) {
                // Prices before the first smoothings are of no use, whatever time is left.
                if (tau >= MIN_SMOOTHING || (tau >= last && !stop.getAsBoolean())) {
                    prices = smoothedDual.minimize(prices, tau, STEPS);
                }
            }
            return new Solution(
                    smoothedDual.bestPrices(), smoothedDual.bound(), choice(program, smoothedDual.bestPrices(), sizes));
        }
        double[] start = from;
        for (double tau : smoothings(START_SMOOTHINGS, warm)) {
            start = smoothedDual.minimize(start, tau, START_STEPS);
        }
        Solution found = interiorPoint(sizes, program, start, smoothedDual, stop);
        GubProgram raised = withRaisedLimits(program, found.prices());
        for (int k = 0; k < MAX_RAISES && raised != null && !stop.getAsBoolean(); k++) {
            Solution next = interiorPoint(sizes, raised, found.prices(), smoothedDual, stop);
            found = next.bound() < found.bound() ? next : found;
            raised = withRaisedLimits(raised, next.prices());
        }
        return found;
    }

    private static double[] smoothings(double[] all, boolean warm) {
        return warm ? Arrays.copyOfRange(all, 1, all.length) : all;
    }

    private static boolean isWide(GubProgram program, Sizes sizes) {
        return program.rows <= FEW_ROWS && sizes.candidates() >= WIDE;
    }

    /**
     * Returns the program with higher limits of the prices that have reached their limit; null if there are none. Such
     * prices occur where a few nodes are scarce and most nodes are idle: typical prices are then far too low.
     */
    private static @Nullable GubProgram withRaisedLimits(GubProgram program, double[] prices) {
        double[] scale = program.scale.clone();
        boolean any = false;
        for (int r = 0; r < scale.length; r++) {
            if (prices[r] > AT_LIMIT * InteriorPoint.LIMIT * scale[r]) {
                scale[r] = RAISE * prices[r] / InteriorPoint.LIMIT;
                any = true;
            }
        }
        return any ? program.withScale(scale) : null;
    }

    private static Solution interiorPoint(
            Sizes sizes, GubProgram exactProgram, double[] from, SmoothedDual smoothedDual, BooleanSupplier stop) {
        double[] start = from.clone();
        for (int r = 0; r < start.length; r++) {
            start[r] = Math.min(start[r], START_LIMIT * InteriorPoint.LIMIT * exactProgram.scale[r]);
        }
        GubProgram program = perturb(exactProgram, PERTURBATION * sizes.objective() / sizes.choices());
        double mean = sizes.objective() / sizes.running();
        double tolerance = sizes.candidates() >= MANY ? ROUGH_TOLERANCE : TOLERANCE;
        InteriorPoint point = InteriorPoint.start(program, start, START_PATH * mean);
        point.run(MAX_ITERATIONS, 0.1, stop);
        double[] distances = {1.8 * mean, 0.9 * mean, 1.8 * mean, 3.6 * mean};
        for (int k = 0; k < distances.length && !stop.getAsBoolean(); k++) {
            point = InteriorPoint.sift(point, program, distances[k]);
            boolean converged = point.run(MAX_ITERATIONS, k == 0 ? Math.max(0.01, tolerance) : tolerance, stop);
            double whole = program.bound(point.prices());
            if (k > 0 && (!converged || whole - point.bound() < 2 * tolerance * Math.abs(whole))) {
                break;
            }
        }
        double[] prices = point.prices();
        double bound = exactProgram.bound(prices);
        // Also where rounding has made the prices of the interior point useless.
        if (!(bound <= smoothedDual.bound())) {
            return new Solution(smoothedDual.bestPrices(), smoothedDual.bound(), share(point, sizes));
        }
        return new Solution(prices.clone(), bound, share(point, sizes));
    }

    private static double[] smoothing(GubProgram program, Sizes sizes) {
        double[] smoothing = new double[program.sets];
        for (int i = 0; i < smoothing.length; i++) {
            smoothing[i] = switch (program.kind[i]) {
                case JOB -> sizes.objective() / sizes.choices();
                case NODES -> 3 * sizes.objective() / sizes.nodes();
                case ACCOUNT -> 2 * sizes.slotPrice();
            };
        }
        return smoothing;
    }

    private static GubProgram perturb(GubProgram program, double amount) {
        double[] values = program.value.clone();
        Random random = new Random(7);
        for (int i = 0; i < program.sets; i++) {
            if (program.kind[i] != GubProgram.SetKind.ACCOUNT) {
                for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                    values[m] += amount * random.nextDouble();
                }
            }
        }
        return program.withValues(values);
    }

    private static double[] share(InteriorPoint point, Sizes sizes) {
        double[] share = new double[sizes.candidates()];
        GubProgram program = point.program();
        for (int m = 0; m < program.members(); m++) {
            if (program.origin[m] >= 0) {
                share[program.origin[m]] = point.shares()[m];
            }
        }
        return share;
    }

    private static double[] choice(GubProgram program, double[] prices, Sizes sizes) {
        double[] share = new double[sizes.candidates()];
        for (int i = 0; i < program.sets; i++) {
            int best = -1;
            double max = Double.NEGATIVE_INFINITY;
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double reduced = program.reducedValue(m, prices);
                if (reduced > max) {
                    max = reduced;
                    best = m;
                }
            }
            if (program.origin[best] >= 0) {
                share[program.origin[best]] = 1;
            }
        }
        return share;
    }
}
