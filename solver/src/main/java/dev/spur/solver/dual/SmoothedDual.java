package dev.spur.solver.dual;

/**
 * Lagrangian dual of a {@link GubProgram}, smoothed so that Newton's method applies.
 *
 * <p>The maximum over the members of a set is replaced by mu * log(sum of exp(reduced value / mu)), and a logarithmic
 * barrier keeps prices above 0. Newton steps are damped (Levenberg and Marquardt), and each price changes by a bounded
 * factor, because one price near 0 would otherwise limit the step of all.
 */
final class SmoothedDual {
    /** Distance from the maximum, in mu, from which a member is ignored. */
    private static final double CUTOFF = 12;
    /** Share above which a member counts as the only choice of its set, which then has no curvature. */
    private static final double DECIDED = 1 - 1e-6;

    private static final double NEGLIGIBLE = 1e-6;
    private static final double MIN_FACTOR = 0.2;
    private static final double MAX_FACTOR = 3;
    private static final double MAX_SCALE = 0.3;
    /** Number of consecutive rejected steps after which the method ends. */
    private static final int MAX_FAILURES = 6;

    private final GubProgram program;
    private final double[] smoothing;
    private final double objective;
    private final DenseCholesky cholesky;
    private HessianPart[] currentHessians;
    private HessianPart[] trialHessians;
    private double damping = -1;
    private double bound = Double.POSITIVE_INFINITY;
    private double[] best;

    /**
     * @param smoothing mu by set at the smoothing 1
     * @param objective estimate of the objective value, to which the barrier is proportional
     */
    SmoothedDual(GubProgram program, double[] smoothing, double objective) {
        this.program = program;
        this.smoothing = smoothing;
        this.objective = objective;
        this.cholesky = new DenseCholesky(EliminationOrder.of(program));
        this.currentHessians = HessianPart.of(program);
        this.trialHessians = HessianPart.of(program);
        this.best = new double[program.rows];
    }

    /** Returns the lowest exact dual bound of all evaluated prices. */
    double bound() {
        return bound;
    }

    /** Returns the prices of {@link #bound}. */
    double[] bestPrices() {
        return best;
    }

    /**
     * Minimizes at the smoothing {@code tau}, from {@code prices}, with at most {@code steps} steps; returns the prices
     * reached.
     */
    double[] minimize(double[] prices, double tau, int steps) {
        double[] from = prices;
        evaluate(from, tau, currentHessians);
        if (damping < 0) {
            double norm = 0;
            for (int r = 0; r < program.rows; r++) {
                double scaled = currentHessians[0].vector[r] * program.scale[r];
                norm += scaled * scaled;
            }
            damping = Math.sqrt(norm) / 0.5;
        }
        int failures = 0;
        for (int step = 0; step < steps && failures <= MAX_FAILURES; step++) {
            double[] direction = direction();
            double[] to = new double[from.length];
            boolean clipped = clip(from, direction, to);
            double expected = expectedDecrease(from, to);
            if (expected < 0.02 * tau * Math.abs(currentHessians[0].smooth) && !clipped) {
                break;
            }
            evaluate(to, tau, trialHessians);
            double decrease = currentHessians[0].smooth - trialHessians[0].smooth;
            if (!(decrease > 0)) {
                damping *= 6;
                failures++;
                continue;
            }
            failures = 0;
            double ratio = expected > 0 ? decrease / expected : -1;
            damping = ratio > 0.6 ? Math.max(damping / 5, 1e-6) : ratio < 0.25 ? damping * 3 : damping;
            HessianPart[] swap = currentHessians;
            currentHessians = trialHessians;
            trialHessians = swap;
            from = to;
        }
        return from;
    }

    /** Returns the damped Newton direction, in units of the scale of each row. */
    private double[] direction() {
        int rows = program.rows;
        double[] scale = program.scale;
        double[][] matrix = trialHessians[0].matrix;
        double[] right = new double[rows];
        for (int r = 0; r < rows; r++) {
            double[] line = currentHessians[0].matrix[r];
            for (int k = 0; k < r; k++) {
                matrix[r][k] = line[k] * scale[r] * scale[k];
            }
            matrix[r][r] = line[r] * scale[r] * scale[r] + damping;
            right[r] = -currentHessians[0].vector[r] * scale[r];
        }
        cholesky.factor(matrix);
        double[] direction = new double[rows];
        cholesky.solve(right, direction);
        for (int r = 0; r < rows; r++) {
            direction[r] *= scale[r];
        }
        return direction;
    }

    private boolean clip(double[] from, double[] direction, double[] to) {
        boolean clipped = false;
        for (int r = 0; r < to.length; r++) {
            double min = MIN_FACTOR * from[r];
            double max = MAX_FACTOR * from[r] + MAX_SCALE * program.scale[r];
            double desired = from[r] + direction[r];
            to[r] = Math.max(min, Math.min(max, desired));
            clipped |= to[r] != desired;
        }
        return clipped;
    }

    private double expectedDecrease(double[] from, double[] to) {
        double decrease = 0;
        double[] step = new double[to.length];
        for (int r = 0; r < to.length; r++) {
            step[r] = to[r] - from[r];
            double curvature = 0;
            double[] line = currentHessians[0].matrix[r];
            for (int k = 0; k < r; k++) {
                curvature += line[k] * step[k];
            }
            decrease -= step[r] * (currentHessians[0].vector[r] + curvature + 0.5 * line[r] * step[r]);
        }
        return decrease;
    }

    /**
     * Evaluates the smoothed dual at {@code prices} and the smoothing {@code tau}.
     *
     * @param at parts of the sum; the first one gets value, gradient and Hessian (lower triangle)
     */
    void evaluate(double[] prices, double tau, HessianPart[] at) {
        HessianPart.addUp(at, program, (part, i) -> addSet(part, i, prices, tau * smoothing[i]));
        HessianPart sum = at[0];
        double barrier = 0.5 * tau * objective / program.rows;
        for (int r = 0; r < program.rows; r++) {
            double value = prices[r] * program.capacity[r];
            sum.exact += value;
            sum.smooth += value - barrier * Math.log(prices[r] / program.scale[r]);
            sum.vector[r] += program.capacity[r] - barrier / prices[r];
            sum.matrix[r][r] += barrier / (prices[r] * prices[r]);
        }
        if (sum.exact < bound) {
            bound = sum.exact;
            best = prices.clone();
        }
    }

    /** Adds value, gradient and Hessian of set {@code i}. */
    private void addSet(HessianPart part, int i, double[] prices, double mu) {
        int from = program.first[i];
        int to = program.first[i + 1];
        double[] values = part.values(to - from);
        double max = Double.NEGATIVE_INFINITY;
        for (int m = from; m < to; m++) {
            double reduced = program.reducedValue(m, prices);
            values[m - from] = reduced;
            max = Math.max(max, reduced);
        }
        double inverse = 1 / mu;
        double cutoff = max - CUTOFF * mu;
        double sum = 0;
        for (int m = 0; m < to - from; m++) {
            values[m] = values[m] > cutoff ? Math.exp((values[m] - max) * inverse) : 0;
            sum += values[m];
        }
        double total = program.total[i];
        part.exact += total * max;
        part.smooth += total * (max + mu * Math.log(sum));
        double curvature = 1 / sum > DECIDED ? 0 : total * inverse;
        for (int m = from; m < to; m++) {
            double share = values[m - from] / sum;
            if (share > 0) {
                part.addMember(m, share, share > NEGLIGIBLE ? curvature * share : 0);
            }
        }
        part.endSet(curvature, total);
    }
}
