package dev.spur.solver.dual;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Primal-dual interior-point method for a {@link GubProgram}: Mehrotra's predictor-corrector (SIAM Journal on
 * Optimization 2, 1992) with Gondzio's multiple centrality correctors (Computational Optimization and Applications 6,
 * 1996).
 *
 * <p>Each set is eliminated by itself, so that one dense system with a row per coupling row remains. A row may be
 * exceeded at {@link #LIMIT} times its typical price; without this elastic bound, prices of rows without slack diverge.
 * Every iteration gives a valid dual bound, because any prices do.
 */
final class InteriorPoint {
    /** Upper limit of a price, as a multiple of its scale. */
    static final double LIMIT = 4;

    private static final int CORRECTORS = 3;
    private static final double CORRECTOR_STEP = 0.3;
    private static final double CENTERING_POWER = 3;
    /** Bound below which tolerances are absolute, relative to the complementarity of the start. */
    private static final double MIN_BOUND = 1e-4;

    private final GubProgram program;
    /** Position of each member in the whole program. */
    private final int[] member;

    private final int sets;
    private final int rows;
    private final NormalEquations equations;
    /** Share of each member, and its distance from the dual constraint. */
    final double[] x;

    private final double[] z;
    /** Dual variable of each set. */
    private final double[] theta;
    /** Price, slack, excess, and distance of the price from its limit, by row. */
    private final double[] p;

    private final double[] s;
    private final double[] e;
    private final double[] y;

    private final double[] residual;
    private Direction direction;
    private Direction spare;
    private double bound = Double.POSITIVE_INFINITY;
    private double complementarity;
    /** Absolute value of the bound to which tolerances are relative at least: the optimum may be 0. */
    private double leastBound;

    private int iterations;

    /** Direction of all variables with its longest primal and dual steps. */
    private static final class Direction {
        private double[] x;
        private double[] use;
        private final double[] theta;
        private final double[] p;
        private final double[] s;
        private final double[] e;
        private double primalStep;
        private double dualStep;

        Direction(GubProgram program) {
            x = new double[program.members()];
            use = new double[program.members()];
            theta = new double[program.sets];
            p = new double[program.rows];
            s = new double[program.rows];
            e = new double[program.rows];
        }
    }

    /** Second-order terms of the complementarity products. */
    private static final class Target {
        private final double[] members;
        private final double[] slack;
        private final double[] excess;

        Target(GubProgram program) {
            members = new double[program.members()];
            slack = new double[program.rows];
            excess = new double[program.rows];
        }
    }

    private InteriorPoint(GubProgram program, int[] member) {
        this.program = program;
        this.member = member;
        this.sets = program.sets;
        this.rows = program.rows;
        this.equations = new NormalEquations(program);
        this.x = new double[program.members()];
        this.z = new double[program.members()];
        this.theta = new double[sets];
        this.p = new double[rows];
        this.s = new double[rows];
        this.e = new double[rows];
        this.y = new double[rows];
        this.residual = new double[rows];
        this.direction = new Direction(program);
        this.spare = new Direction(program);
    }

    /**
     * Starts on the central path of the parameter {@code mu} at {@code prices}.
     *
     * @param prices price by row, above 0 and below {@link #LIMIT} times the scale
     */
    static InteriorPoint start(GubProgram program, double[] prices, double mu) {
        InteriorPoint point =
                new InteriorPoint(program, IntStream.range(0, program.members()).toArray());
        System.arraycopy(prices, 0, point.p, 0, point.rows);
        point.leastBound = MIN_BOUND * mu * program.members();
        for (int i = 0; i < point.sets; i++) {
            point.centerSet(i, mu);
        }
        for (int r = 0; r < point.rows; r++) {
            point.y[r] = LIMIT * program.scale[r] - point.p[r];
            point.s[r] = mu / point.p[r];
            point.e[r] = mu / point.y[r];
        }
        return point;
    }

    /** Solves sum of mu / (theta - reduced value) = total for theta by Newton's method on the reciprocal. */
    private void centerSet(int i, double mu) {
        int from = program.first[i];
        int to = program.first[i + 1];
        double total = program.total[i];
        double max = Double.NEGATIVE_INFINITY;
        for (int m = from; m < to; m++) {
            z[m] = program.reducedValue(m, p);
            max = Math.max(max, z[m]);
        }
        double t = max + mu / total;
        for (int step = 0; step < 50; step++) {
            double sum = 0;
            double slope = 0;
            for (int m = from; m < to; m++) {
                double w = mu / (t - z[m]);
                sum += w;
                slope += w * w / mu;
            }
            if (Math.abs(sum - total) < 1e-9 * total) {
                break;
            }
            t += (sum / total - 1) * sum / slope;
        }
        theta[i] = t;
        for (int m = from; m < to; m++) {
            z[m] = t - z[m];
            x[m] = mu / z[m];
        }
        rescale(i);
    }

    private void rescale(int i) {
        double sum = 0;
        for (int m = program.first[i]; m < program.first[i + 1]; m++) {
            sum += x[m];
        }
        double factor = program.total[i] / sum;
        for (int m = program.first[i]; m < program.first[i + 1]; m++) {
            x[m] *= factor;
        }
    }

    /**
     * Returns the same point for the members of {@code whole} whose reduced value is within {@code distance} of the
     * best of their set; sets other than jobs keep all members (sifting).
     *
     * @param whole program of which {@code from} has all or some members
     */
    static InteriorPoint sift(InteriorPoint from, GubProgram whole, double distance) {
        int[] position = new int[whole.members()];
        Arrays.fill(position, -1);
        for (int m = 0; m < from.member.length; m++) {
            position[from.member[m]] = m;
        }
        double[] reduced = new double[whole.members()];
        boolean[] keep = new boolean[whole.members()];
        double mu = from.complementarity / from.program.members();
        double[] theta = from.theta.clone();
        for (int i = 0; i < whole.sets; i++) {
            double best = Double.NEGATIVE_INFINITY;
            for (int m = whole.first[i]; m < whole.first[i + 1]; m++) {
                reduced[m] = whole.reducedValue(m, from.p);
                best = Math.max(best, reduced[m]);
            }
            for (int m = whole.first[i]; m < whole.first[i + 1]; m++) {
                keep[m] = whole.kind[i] != GubProgram.SetKind.JOB || best - reduced[m] < distance;
            }
            theta[i] = Math.max(theta[i], best + 0.1 * mu / whole.total[i]);
        }
        int[] members = IntStream.range(0, keep.length).filter(m -> keep[m]).toArray();
        InteriorPoint point = new InteriorPoint(whole.restrictedTo(keep), members);
        point.iterations = from.iterations;
        point.complementarity = from.complementarity;
        point.leastBound = from.leastBound;
        System.arraycopy(theta, 0, point.theta, 0, theta.length);
        System.arraycopy(from.p, 0, point.p, 0, point.rows);
        System.arraycopy(from.s, 0, point.s, 0, point.rows);
        System.arraycopy(from.e, 0, point.e, 0, point.rows);
        System.arraycopy(from.y, 0, point.y, 0, point.rows);
        int at = 0;
        for (int i = 0; i < whole.sets; i++) {
            for (int m = whole.first[i]; m < whole.first[i + 1]; m++) {
                if (keep[m]) {
                    point.z[at] = theta[i] - reduced[m];
                    point.x[at] = position[m] >= 0 ? from.x[position[m]] : Math.min(mu / point.z[at], 0.01);
                    at++;
                }
            }
            point.rescale(i);
        }
        return point;
    }

    double[] prices() {
        return p;
    }

    GubProgram program() {
        return program;
    }

    int iterations() {
        return iterations;
    }

    /** Returns the lowest dual bound of this program so far. */
    double bound() {
        return bound;
    }

    /**
     * Iterates until complementarity and infeasibility are at most {@code tolerance}, relative to the bound; returns
     * whether that is reached.
     *
     * @param mostIterations maximum total number of iterations
     */
    boolean run(int mostIterations, double tolerance, BooleanSupplier stop) {
        while (iterations < mostIterations && !stop.getAsBoolean()) {
            iterations++;
            if (measure() <= tolerance) {
                return true;
            }
            equations.factor(p, s, e, y);
            Target target = predict();
            correct(target);
            move();
        }
        return false;
    }

    private double centering;
    private double reduction;

    /** Builds the normal equations; returns the relative complementarity and infeasibility. */
    private double measure() {
        double products = 0;
        double dual = 0;
        for (int r = 0; r < rows; r++) {
            residual[r] = program.capacity[r] - s[r] + e[r];
            products += s[r] * p[r] + e[r] * y[r];
            dual += p[r] * program.capacity[r];
        }
        equations.build(x, z, residual);
        for (int i = 0; i < sets; i++) {
            double min = Double.POSITIVE_INFINITY;
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                products += x[m] * z[m];
                min = Math.min(min, z[m]);
            }
            dual += program.total[i] * (theta[i] - min);
        }
        double infeasibility = 0;
        for (int r = 0; r < rows; r++) {
            infeasibility += Math.abs(residual[r]) * (p[r] + 0.01 * program.scale[r]);
        }
        bound = Math.min(bound, dual);
        complementarity = products;
        return (products + infeasibility) / Math.max(Math.abs(dual), leastBound);
    }

    /** Computes the affine direction; returns its second-order terms. */
    private Target predict() {
        compute(0, null, direction);
        double primal = Math.min(1, direction.primalStep);
        double dual = Math.min(1, direction.dualStep);
        double after = 0;
        double weight = 1;
        Target target = new Target(program);
        for (int r = 0; r < rows; r++) {
            after += (s[r] + primal * direction.s[r]) * (p[r] + dual * direction.p[r])
                    + (e[r] + primal * direction.e[r]) * (y[r] - dual * direction.p[r]);
            target.slack[r] = -weight * direction.s[r] * direction.p[r];
            target.excess[r] = weight * direction.e[r] * direction.p[r];
        }
        for (int i = 0; i < sets; i++) {
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double dz = direction.theta[i] + direction.use[m];
                after += (x[m] + primal * direction.x[m]) * (z[m] + dual * dz);
                target.members[m] = -weight * direction.x[m] * dz;
            }
        }
        reduction = after / complementarity;
        centering = Math.pow(reduction, CENTERING_POWER) * complementarity / (program.members() + 2.0 * rows);
        return target;
    }

    /** Computes the corrected direction, and improves it while correctors make the steps longer. */
    private void correct(Target first) {
        Target target = first;
        compute(centering, target, direction);
        for (int k = 0; k < CORRECTORS; k++) {
            double primal = Math.min(1, direction.primalStep);
            double dual = Math.min(1, direction.dualStep);
            if (primal > 0.9 && dual > 0.9) {
                return;
            }
            Target corrected = centralize(target, primal, dual);
            compute(centering, corrected, spare);
            double gain = Math.min(1, spare.primalStep) + Math.min(1, spare.dualStep) - primal - dual;
            if (gain < 0.1 * CORRECTOR_STEP) {
                return;
            }
            Direction swap = direction;
            direction = spare;
            spare = swap;
            target = corrected;
        }
    }

    private Target centralize(Target target, double primal, double dual) {
        double tp = Math.min(1, primal + CORRECTOR_STEP);
        double td = Math.min(1, dual + CORRECTOR_STEP);
        double min = 0.1 * centering;
        double max = 10 * centering;
        Target corrected = new Target(program);
        for (int r = 0; r < rows; r++) {
            double slack = (s[r] + tp * direction.s[r]) * (p[r] + td * direction.p[r]);
            double excess = (e[r] + tp * direction.e[r]) * (y[r] - td * direction.p[r]);
            corrected.slack[r] = target.slack[r] + clip(slack, min, max);
            corrected.excess[r] = target.excess[r] + clip(excess, min, max);
        }
        for (int i = 0; i < sets; i++) {
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double product = (x[m] + tp * direction.x[m]) * (z[m] + td * (direction.theta[i] + direction.use[m]));
                corrected.members[m] = target.members[m] + clip(product, min, max);
            }
        }
        return corrected;
    }

    private static double clip(double product, double min, double max) {
        if (product < min) {
            return min - product;
        }
        return product > max ? Math.max(max - product, -max) : 0;
    }

    private void move() {
        double back = Math.max(0.9, Math.min(0.995, 1 - 0.1 * Math.max(reduction, 0.05)));
        double primal = Math.min(1, back * direction.primalStep);
        double dual = Math.min(1, back * direction.dualStep);
        for (int r = 0; r < rows; r++) {
            s[r] += primal * direction.s[r];
            p[r] += dual * direction.p[r];
            e[r] += primal * direction.e[r];
            y[r] -= dual * direction.p[r];
        }
        for (int i = 0; i < sets; i++) {
            theta[i] += dual * direction.theta[i];
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                x[m] += primal * direction.x[m];
                z[m] += dual * (direction.theta[i] + direction.use[m]);
            }
            rescale(i);
        }
    }

    /** Computes the direction to the products {@code centering} plus second-order terms, and its longest steps. */
    private void compute(double centering, @Nullable Target target, Direction to) {
        double[] right = new double[rows];
        for (int r = 0; r < rows; r++) {
            double slack = centering - s[r] * p[r] + (target == null ? 0 : target.slack[r]);
            double excess = centering - e[r] * y[r] + (target == null ? 0 : target.excess[r]);
            to.s[r] = slack / p[r];
            to.e[r] = excess / y[r];
            right[r] = to.s[r] - to.e[r] - residual[r];
        }
        double[][] uses = new double[equations.parts()][rows];
        HessianPart.forEachRange(uses.length, program, (part, range) -> {
            aim(range, centering, target, to);
            equations.addUse(range, to.x, to.theta, uses[part]);
        });
        for (double[] own : uses) {
            for (int r = 0; r < rows; r++) {
                right[r] += own[r];
            }
        }
        equations.solve(right, to.p);
        for (int r = 0; r < rows; r++) {
            to.s[r] -= s[r] / p[r] * to.p[r];
            to.e[r] += e[r] / y[r] * to.p[r];
        }
        measureSteps(to);
    }

    private void aim(HessianPart.Range range, double centering, @Nullable Target target, Direction to) {
        for (int i = range.from(); i < range.to(); i++) {
            double sum = 0;
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double h = (centering + (target == null ? 0 : target.members[m])) / z[m] - x[m];
                to.x[m] = h;
                sum += h;
            }
            to.theta[i] = sum / equations.sum(i);
        }
    }

    /** Completes the direction of the members; measures the longest steps. */
    private void measureSteps(Direction to) {
        double primal = 1e9;
        double dual = 1e9;
        for (int r = 0; r < rows; r++) {
            primal = limit(primal, s[r], to.s[r]);
            primal = limit(primal, e[r], to.e[r]);
            dual = limit(dual, p[r], to.p[r]);
            dual = limit(dual, y[r], -to.p[r]);
        }
        double[][] steps = new double[equations.parts()][];
        HessianPart.forEachRange(steps.length, program, (part, range) -> {
            equations.expand(range, to.p, to.theta, to.x, to.use);
            steps[part] = memberSteps(range, to);
        });
        for (double[] own : steps) {
            primal = Math.min(primal, own[0]);
            dual = Math.min(dual, own[1]);
        }
        to.primalStep = primal;
        to.dualStep = dual;
    }

    private double[] memberSteps(HessianPart.Range range, Direction to) {
        double primal = 1e9;
        double dual = 1e9;
        for (int i = range.from(); i < range.to(); i++) {
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                primal = limit(primal, x[m], to.x[m]);
                dual = limit(dual, z[m], to.theta[i] + to.use[m]);
            }
        }
        return new double[] {primal, dual};
    }

    private static double limit(double step, double value, double change) {
        return change < 0 && value < -step * change ? -value / change : step;
    }
}
