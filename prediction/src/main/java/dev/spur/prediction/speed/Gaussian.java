package dev.spur.prediction.speed;

import dev.spur.model.Checks;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * A normal distribution of the parameters of a formula, in the coordinates of the fit.
 *
 * @param mean most likely parameters
 * @param covariance symmetric and positive definite
 */
record Gaussian(RealVector mean, RealMatrix covariance) {
    Gaussian {
        Checks.require(
                covariance.getRowDimension() == mean.getDimension()
                        && covariance.getColumnDimension() == mean.getDimension(),
                "a covariance of %s rows does not fit %s parameters",
                covariance.getRowDimension(),
                mean.getDimension());
    }

    /** Returns the distribution of independent parameters with these means and standard deviations. */
    static Gaussian independent(double[] means, double[] deviations) {
        double[] variances = new double[deviations.length];
        for (int i = 0; i < variances.length; i++) {
            variances[i] = deviations[i] * deviations[i];
        }
        return new Gaussian(MatrixUtils.createRealVector(means), MatrixUtils.createRealDiagonalMatrix(variances));
    }
}
