package dev.spur.prediction.speed;

import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.RealMatrix;

/** Triangular roots of covariances that rounding has made a little asymmetric, or nearly singular. */
final class Cholesky {
    private static final double ASYMMETRY = 1e-6;
    /** Added to the diagonal, relative to it. */
    private static final double RIDGE = 1e-9;

    private Cholesky() {}

    /** The decomposition of {@code covariance}, which is left as it is. */
    static CholeskyDecomposition of(RealMatrix covariance) {
        RealMatrix even = covariance.add(covariance.transpose()).scalarMultiply(0.5);
        for (int i = 0; i < even.getRowDimension(); i++) {
            even.multiplyEntry(i, i, 1 + RIDGE);
        }
        return new CholeskyDecomposition(even, ASYMMETRY, 0);
    }
}
