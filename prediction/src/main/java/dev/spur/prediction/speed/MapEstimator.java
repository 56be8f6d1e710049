package dev.spur.prediction.speed;

import java.util.Arrays;
import org.hipparchus.exception.MathIllegalStateException;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresFactory;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.util.Pair;

/**
 * Maximum a posteriori (MAP) estimation of the parameters of a formula, from their prior and the measurements. It
 * minimizes the normalized squares of both by the Levenberg-Marquardt method.
 */
final class MapEstimator {
    private static final int STEPS = 60;
    /** Maximum distance of the search from the prior mean, in standard deviations. */
    private static final double FARTHEST = 8;
    /** Relative step of numeric derivatives. */
    private static final double STEP = 1e-5;

    private final Formula formula;
    private final Gaussian priorGaussian;
    private final ObservationCovariance covariance;
    private final RealMatrix rootOfBelief;
    private final RealMatrix whitening;
    private final RealVector whitened;

    MapEstimator(Formula formula, Gaussian priorGaussian, ObservationCovariance covariance) {
        this.formula = formula;
        this.priorGaussian = priorGaussian;
        this.covariance = covariance;
        rootOfBelief = Cholesky.of(priorGaussian.covariance()).getL();
        whitening = inverse(covariance.root());
        whitened = whitening.operate(covariance.logs());
    }

    /** Returns the parameters; the search begins at {@code start}, in the coordinates of the formula. */
    double[] from(double[] start) {
        RealVector offset = MatrixUtils.createRealVector(start).subtract(priorGaussian.mean());
        MatrixUtils.solveLowerTriangularSystem(rootOfBelief, offset);
        int size = covariance.size() + offset.getDimension();
        try {
            RealVector found = new LevenbergMarquardtOptimizer()
                    .withCostRelativeTolerance(1e-8)
                    .withParameterRelativeTolerance(1e-6)
                    .optimize(LeastSquaresFactory.create(
                            this::value,
                            new ArrayRealVector(size),
                            offset,
                            null,
                            null,
                            3 * STEPS,
                            STEPS,
                            false,
                            MapEstimator::clamp))
                    .getPoint();
            return natural(found);
        } catch (MathIllegalStateException exception) {
            return start;
        }
    }

    private double[] natural(RealVector offset) {
        return rootOfBelief.operate(offset).add(priorGaussian.mean()).toArray();
    }

    private Pair<RealVector, RealMatrix> value(RealVector offset) {
        double[] parameters = natural(offset);
        int n = covariance.size();
        int p = parameters.length;
        RealVector errors =
                whitening.operate(logs(formula, parameters, covariance)).subtract(whitened);
        RealMatrix slopes =
                whitening.multiply(jacobian(formula, parameters, covariance)).multiply(rootOfBelief);
        RealMatrix rows = MatrixUtils.createRealMatrix(n + p, p);
        rows.setSubMatrix(slopes.getData(), 0, 0);
        for (int i = 0; i < p; i++) {
            rows.setEntry(n + i, i, 1);
        }
        return new Pair<>(errors.append(offset), rows);
    }

    /** Returns the logarithms of the formula's predictions for the observations. */
    static RealVector logs(Formula formula, double[] parameters, ObservationCovariance covariance) {
        RealVector logs = new ArrayRealVector(covariance.size());
        for (int i = 0; i < covariance.size(); i++) {
            logs.setEntry(i, formula.logSeconds(parameters, covariance.shape(i)));
        }
        return logs;
    }

    private static RealMatrix jacobian(Formula formula, double[] parameters, ObservationCovariance covariance) {
        RealMatrix rows = MatrixUtils.createRealMatrix(covariance.size(), parameters.length);
        for (int i = 0; i < covariance.size(); i++) {
            rows.setRow(i, gradient(formula, parameters, covariance.shape(i)));
        }
        return rows;
    }

    /** Returns the derivatives of the logarithm of the seconds by the parameters. */
    static double[] gradient(Formula formula, double[] parameters, StepShape shape) {
        double[] slopes = new double[parameters.length];
        double[] moved = parameters.clone();
        for (int i = 0; i < slopes.length; i++) {
            moved[i] = parameters[i] + STEP;
            double above = formula.logSeconds(moved, shape);
            moved[i] = parameters[i] - STEP;
            slopes[i] = (above - formula.logSeconds(moved, shape)) / (2 * STEP);
            moved[i] = parameters[i];
        }
        return slopes;
    }

    private static RealVector clamp(RealVector point) {
        return new ArrayRealVector(Arrays.stream(point.toArray())
                .map(x -> Math.min(FARTHEST, Math.max(-FARTHEST, x)))
                .toArray());
    }

    private static RealMatrix inverse(RealMatrix lower) {
        int n = lower.getRowDimension();
        RealMatrix inverse = MatrixUtils.createRealMatrix(n, n);
        for (int i = 0; i < n; i++) {
            RealVector column = new ArrayRealVector(n);
            column.setEntry(i, 1);
            MatrixUtils.solveLowerTriangularSystem(lower, column);
            inverse.setColumnVector(i, column);
        }
        return inverse;
    }
}
