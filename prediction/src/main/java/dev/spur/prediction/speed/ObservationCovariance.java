package dev.spur.prediction.speed;

import java.util.List;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/** Observations with the covariance of their residuals: correlated errors of the formula, and noise. */
final class ObservationCovariance {
    private final List<StepObservation> observations;
    private final Kernel kernel;
    private final RealVector logs;
    private final RealMatrix covariance;
    private final CholeskyDecomposition root;

    ObservationCovariance(List<StepObservation> observations, Kernel kernel) {
        this.observations = List.copyOf(observations);
        this.kernel = kernel;
        int n = observations.size();
        logs = MatrixUtils.createRealVector(observations.stream()
                .mapToDouble(o -> Math.log(o.stepSeconds()))
                .toArray());
        covariance = MatrixUtils.createRealMatrix(n, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                covariance.setEntry(i, j, kernel.between(shape(i), shape(j)));
            }
            covariance.addToEntry(i, i, kernel.noise(observations.get(i).weight()));
        }
        root = Cholesky.of(covariance);
    }

    int size() {
        return observations.size();
    }

    List<StepObservation> observations() {
        return observations;
    }

    StepShape shape(int i) {
        return observations.get(i).shape();
    }

    Kernel kernel() {
        return kernel;
    }

    /** Returns the logarithms of the measured seconds. */
    RealVector logs() {
        return logs;
    }

    RealMatrix covariance() {
        return covariance;
    }

    /** Returns the lower triangular Cholesky factor of the covariance. */
    RealMatrix root() {
        return root.getL();
    }

    /** Returns the inverse of the covariance times {@code vector}. */
    RealVector solve(RealVector vector) {
        return root.getSolver().solve(vector);
    }

    /** Returns the covariances of the formula's error at {@code shape} with those at the observations. */
    RealVector kernelTo(StepShape shape) {
        RealVector to = MatrixUtils.createRealVector(new double[size()]);
        for (int i = 0; i < size(); i++) {
            to.setEntry(i, kernel.between(shape(i), shape));
        }
        return to;
    }
}
