package dev.spur.solver.dual;

import org.jspecify.annotations.Nullable;

/** Linear system of the Newton directions of one {@link PrimalDualPoint}. */
final class NewtonSystem {
    private static final double NO_LIMIT = 1e9;

    private final PrimalDualPoint point;
    private final GubProgram program;
    private final NormalEquations equations;
    /** Capacity less use, slack and plus excess, by row. */
    private final double[] residual;

    NewtonSystem(PrimalDualPoint point) {
        this.point = point;
        this.program = point.program;
        this.equations = new NormalEquations(program);
        this.residual = new double[program.rows];
    }

    /** Builds the normal equations at the present values of the point, without their diagonal part. */
    void build() {
        for (int r = 0; r < residual.length; r++) {
            residual[r] = program.capacity[r] - point.s[r] + point.e[r];
        }
        equations.build(point.x, point.z, residual);
    }

    /** Returns the sum of the residuals at the prices, with a small price where it is 0. */
    double infeasibility() {
        double infeasibility = 0;
        for (int r = 0; r < residual.length; r++) {
            infeasibility += Math.abs(residual[r]) * (point.p[r] + 0.01 * program.scale[r]);
        }
        return infeasibility;
    }

    /** Completes and factors the normal equations. */
    void factor() {
        equations.factor(point.p, point.s, point.e, point.y);
    }

    /** Computes the direction to the products {@code centering} plus second-order terms, and its longest steps. */
    void solve(double centering, @Nullable SecondOrderTerms terms, SearchDirection direction) {
        double[] right = new double[program.rows];
        for (int r = 0; r < right.length; r++) {
            double slack = centering - point.s[r] * point.p[r] + (terms == null ? 0 : terms.slack[r]);
            double excess = centering - point.e[r] * point.y[r] + (terms == null ? 0 : terms.excess[r]);
            direction.s[r] = slack / point.p[r];
            direction.e[r] = excess / point.y[r];
            right[r] = direction.s[r] - direction.e[r] - residual[r];
        }
        double[][] uses = new double[equations.parts()][right.length];
        HessianPart.forEachRange(uses.length, program, (part, range) -> {
            aim(range, centering, terms, direction);
            equations.addUse(range, direction.x, direction.theta, uses[part]);
        });
        for (double[] own : uses) {
            for (int r = 0; r < right.length; r++) {
                right[r] += own[r];
            }
        }
        equations.solve(right, direction.p);
        for (int r = 0; r < right.length; r++) {
            direction.s[r] -= point.s[r] / point.p[r] * direction.p[r];
            direction.e[r] += point.e[r] / point.y[r] * direction.p[r];
        }
        measureSteps(direction);
    }

    private void aim(
            HessianPart.Range range, double centering, @Nullable SecondOrderTerms terms, SearchDirection direction) {
        for (int i = range.from(); i < range.to(); i++) {
            double sum = 0;
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double h = (centering + (terms == null ? 0 : terms.members[m])) / point.z[m] - point.x[m];
                direction.x[m] = h;
                sum += h;
            }
            direction.theta[i] = sum / equations.sum(i);
        }
    }

    /** Completes the direction of the members; measures the longest steps. */
    private void measureSteps(SearchDirection direction) {
        double primal = NO_LIMIT;
        double dual = NO_LIMIT;
        for (int r = 0; r < program.rows; r++) {
            primal = limit(primal, point.s[r], direction.s[r]);
            primal = limit(primal, point.e[r], direction.e[r]);
            dual = limit(dual, point.p[r], direction.p[r]);
            dual = limit(dual, point.y[r], -direction.p[r]);
        }
        double[][] steps = new double[equations.parts()][];
        HessianPart.forEachRange(steps.length, program, (part, range) -> {
            equations.expand(range, direction.p, direction.theta, direction.x, direction.use);
            steps[part] = memberSteps(range, direction);
        });
        for (double[] own : steps) {
            primal = Math.min(primal, own[0]);
            dual = Math.min(dual, own[1]);
        }
        direction.limitTo(primal, dual);
    }

    private double[] memberSteps(HessianPart.Range range, SearchDirection direction) {
        double primal = NO_LIMIT;
        double dual = NO_LIMIT;
        for (int i = range.from(); i < range.to(); i++) {
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                primal = limit(primal, point.x[m], direction.x[m]);
                dual = limit(dual, point.z[m], direction.theta[i] + direction.use[m]);
            }
        }
        return new double[] {primal, dual};
    }

    private static double limit(double step, double value, double change) {
        return change < 0 && value < -step * change ? -value / change : step;
    }
}
