package dev.spur.solver.dual;

import java.util.function.BooleanSupplier;

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
    static final double LIMIT = PrimalDualPoint.PRICE_LIMIT;

    private static final int CORRECTORS = 3;
    private static final double CORRECTOR_STEP = 0.3;
    private static final double CENTERING_POWER = 3;
    /** Bound below which tolerances are absolute, relative to the complementarity of the start. */
    private static final double MIN_BOUND = 1e-4;

    private final PrimalDualPoint point;
    private final GubProgram program;
    private final NewtonSystem newtonSystem;
    /** Absolute value of the bound to which tolerances are relative at least: the optimum may be 0. */
    private final double leastBound;

    private SearchDirection direction;
    private SearchDirection spareDirection;
    private double bound = Double.POSITIVE_INFINITY;
    private double complementarity;
    private int iterations;

    private InteriorPoint(PrimalDualPoint point, double leastBound) {
        this.point = point;
        this.program = point.program;
        this.newtonSystem = new NewtonSystem(point);
        this.leastBound = leastBound;
        this.direction = new SearchDirection(program);
        this.spareDirection = new SearchDirection(program);
    }

    /**
     * Starts on the central path of the parameter {@code mu} at {@code prices}.
     *
     * @param prices price by row, above 0 and below {@link #LIMIT} times the scale
     */
    static InteriorPoint start(GubProgram program, double[] prices, double mu) {
        PrimalDualPoint point = PrimalDualPoint.onCentralPath(program, prices, mu);
        return new InteriorPoint(point, MIN_BOUND * mu * program.members());
    }

    /**
     * Continues with the members of {@code whole} whose reduced value is within {@code distance} of the best of their
     * set; sets other than jobs keep all members (sifting).
     *
     * @param whole program of which {@code from} has all or some members
     */
    static InteriorPoint sift(InteriorPoint from, GubProgram whole, double distance) {
        double mu = from.complementarity / from.program.members();
        InteriorPoint sifted = new InteriorPoint(from.point.siftedFrom(whole, distance, mu), from.leastBound);
        sifted.iterations = from.iterations;
        sifted.complementarity = from.complementarity;
        return sifted;
    }

    double[] prices() {
        return point.p;
    }

    /** Returns the share of each member of the program. */
    double[] shares() {
        return point.x;
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
            newtonSystem.factor();
            newtonSystem.solve(0, null, direction);
            double reduction = predictedComplementarity() / complementarity;
            double centering =
                    Math.pow(reduction, CENTERING_POWER) * complementarity / (program.members() + 2.0 * program.rows);
            correct(centering);
            move(reduction);
        }
        return false;
    }

    /** Builds the normal equations; returns the relative complementarity and infeasibility. */
    private double measure() {
        newtonSystem.build();
        double products = 0;
        double dual = 0;
        for (int r = 0; r < program.rows; r++) {
            products += point.s[r] * point.p[r] + point.e[r] * point.y[r];
            dual += point.p[r] * program.capacity[r];
        }
        for (int i = 0; i < program.sets; i++) {
            double min = Double.POSITIVE_INFINITY;
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                products += point.x[m] * point.z[m];
                min = Math.min(min, point.z[m]);
            }
            dual += program.total[i] * (point.theta[i] - min);
        }
        bound = Math.min(bound, dual);
        complementarity = products;
        return (products + newtonSystem.infeasibility()) / Math.max(Math.abs(dual), leastBound);
    }

    /** Returns the sum of the complementarity products after the affine direction. */
    private double predictedComplementarity() {
        double primal = direction.boundedPrimalStep();
        double dual = direction.boundedDualStep();
        double after = 0;
        for (int r = 0; r < program.rows; r++) {
            after += (point.s[r] + primal * direction.s[r]) * (point.p[r] + dual * direction.p[r])
                    + (point.e[r] + primal * direction.e[r]) * (point.y[r] - dual * direction.p[r]);
        }
        for (int i = 0; i < program.sets; i++) {
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double dz = direction.theta[i] + direction.use[m];
                after += (point.x[m] + primal * direction.x[m]) * (point.z[m] + dual * dz);
            }
        }
        return after;
    }

    /** Returns the second-order terms of the affine direction. */
    private SecondOrderTerms affineTerms() {
        SecondOrderTerms terms = new SecondOrderTerms(program);
        for (int r = 0; r < program.rows; r++) {
            terms.slack[r] = -direction.s[r] * direction.p[r];
            terms.excess[r] = direction.e[r] * direction.p[r];
        }
        for (int i = 0; i < program.sets; i++) {
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                terms.members[m] = -direction.x[m] * (direction.theta[i] + direction.use[m]);
            }
        }
        return terms;
    }

    /** Computes the corrected direction, and improves it while correctors make the steps longer. */
    private void correct(double centering) {
        SecondOrderTerms terms = affineTerms();
        newtonSystem.solve(centering, terms, direction);
        for (int k = 0; k < CORRECTORS; k++) {
            double primal = direction.boundedPrimalStep();
            double dual = direction.boundedDualStep();
            if (primal > 0.9 && dual > 0.9) {
                return;
            }
            SecondOrderTerms corrected = centralize(terms, centering, primal, dual);
            newtonSystem.solve(centering, corrected, spareDirection);
            double gain = spareDirection.boundedPrimalStep() + spareDirection.boundedDualStep() - primal - dual;
            if (gain < 0.1 * CORRECTOR_STEP) {
                return;
            }
            SearchDirection swap = direction;
            direction = spareDirection;
            spareDirection = swap;
            terms = corrected;
        }
    }

    private SecondOrderTerms centralize(SecondOrderTerms terms, double centering, double primal, double dual) {
        double tp = Math.min(1, primal + CORRECTOR_STEP);
        double td = Math.min(1, dual + CORRECTOR_STEP);
        double min = 0.1 * centering;
        double max = 10 * centering;
        SecondOrderTerms corrected = new SecondOrderTerms(program);
        for (int r = 0; r < program.rows; r++) {
            double slack = (point.s[r] + tp * direction.s[r]) * (point.p[r] + td * direction.p[r]);
            double excess = (point.e[r] + tp * direction.e[r]) * (point.y[r] - td * direction.p[r]);
            corrected.slack[r] = terms.slack[r] + clip(slack, min, max);
            corrected.excess[r] = terms.excess[r] + clip(excess, min, max);
        }
        for (int i = 0; i < program.sets; i++) {
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double product = (point.x[m] + tp * direction.x[m])
                        * (point.z[m] + td * (direction.theta[i] + direction.use[m]));
                corrected.members[m] = terms.members[m] + clip(product, min, max);
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

    private void move(double reduction) {
        double back = Math.max(0.9, Math.min(0.995, 1 - 0.1 * Math.max(reduction, 0.05)));
        point.move(direction, Math.min(1, back * direction.primalStep()), Math.min(1, back * direction.dualStep()));
    }
}
