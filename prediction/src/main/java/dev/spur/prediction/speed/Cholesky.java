package dev.spur.prediction.speed;

import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.RealMatrix;

/**
 * Cholesky decompositions of covariance matrices that are slightly asymmetric or nearly singular because of rounding.
 */
final class Cholesky {
    private static final double ASYMMETRY = 1e-6;
    /** Relative value added to the diagonal. */
    private static final double RIDGE = 1e-9;

    private Cholesky() {}

    /** Returns the decomposition of {@code covariance}, which does not change. */
    static CholeskyDecomposition of(RealMatrix covariance) {
        RealMatrix even = covariance.add(covariance.transpose()).scalarMultiply(0.5);
        for (int i = 0; i < even.getRowDimension(); i++) {
            even.multiplyEntry(i, i, 1 + RIDGE);
        }
        return new CholeskyDecomposition(even, ASYMMETRY, 0);
    }
}
