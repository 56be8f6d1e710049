package dev.spur.prediction.online;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * The error of predictions, estimated from residuals by Bayesian model averaging. Each {@linkplain Drift.Dimension
 * dimension} is a hypothesis on the error; the absence of an error is one more. Each hypothesis is weighted by its
 * likelihood. A dimension that explains all residuals soon dominates, and corrects predictions for shapes in which the
 * job never ran.
 */
public final class ResidualModel {
    /** A model without reports. */
    public static final ResidualModel NONE = new ResidualModel(List.of());

    /** Standard deviation of the error of a wrong prediction: a factor of 2. */
    private static final double USUAL_ERROR = Math.log(2);
    /** Standard deviation of residuals without an error. */
    private static final double NOISE = 0.07;
    /** Prior weight of the absence of an error, relative to that of each dimension. */
    private static final double TRUST = 3;

    /**
     * A correction of the prediction for one shape.
     *
     * @param log correction to add to the logarithm of the predicted seconds
     * @param variance remaining variance of the error
     */
    public record Amount(double log, double variance) {}

    private record Guess(
            Drift.Dimension dimension, RealVector coefficients, CholeskyDecomposition root, double weight) {}

    private final List<LogResidual> residuals;
    private final List<Guess> guesses = new ArrayList<>();
    private final double trust;

    private ResidualModel(List<LogResidual> residuals) {
        this.residuals = List.copyOf(residuals);
        RealVector amounts = new ArrayRealVector(
                residuals.stream().mapToDouble(LogResidual::log).toArray());
        double nothing = Math.log(TRUST)
                - amounts.dotProduct(amounts) / (2 * NOISE * NOISE)
                - residuals.size() * Math.log(NOISE);
        double max = nothing;
        List<Guess> raw = new ArrayList<>();
        for (Drift.Dimension dimension : residuals.isEmpty() ? new Drift.Dimension[0] : Drift.Dimension.values()) {
            Guess guess = guess(dimension, amounts);
            raw.add(guess);
            max = Math.max(max, guess.weight);
        }
        double sum = Math.exp(nothing - max);
        for (Guess guess : raw) {
            sum += Math.exp(guess.weight - max);
        }
        trust = Math.exp(nothing - max) / sum;
        for (Guess guess : raw) {
            guesses.add(new Guess(guess.dimension, guess.coefficients, guess.root, Math.exp(guess.weight - max) / sum));
        }
    }

    /** Returns a hypothesis whose weight is still its log likelihood. */
    private Guess guess(Drift.Dimension dimension, RealVector amounts) {
        CholeskyDecomposition root = new CholeskyDecomposition(covariance(dimension), 1e-9, 0);
        RealVector coefficients = root.getSolver().solve(amounts);
        return new Guess(
                dimension, coefficients, root, -amounts.dotProduct(coefficients) / 2 - halfLogDeterminant(root));
    }

    /** Returns the model of {@code residuals}. */
    public static ResidualModel of(List<LogResidual> residuals) {
        return residuals.isEmpty() ? NONE : new ResidualModel(residuals);
    }

    private RealMatrix covariance(Drift.Dimension dimension) {
        int n = residuals.size();
        RealMatrix covariance = MatrixUtils.createRealMatrix(n, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                covariance.setEntry(
                        i,
                        j,
                        USUAL_ERROR * USUAL_ERROR * DimensionKernels.of(dimension, residuals.get(i), residuals.get(j))
                                + (i == j ? NOISE * NOISE : 0));
            }
        }
        return covariance;
    }

    private static double halfLogDeterminant(CholeskyDecomposition root) {
        double sum = 0;
        for (int i = 0; i < root.getL().getRowDimension(); i++) {
            sum += Math.log(root.getL().getEntry(i, i));
        }
        return sum;
    }

    /** Returns true if an error is more likely than not. */
    public boolean isCertain() {
        return trust < 0.5;
    }

    /** Returns the dimension that explains the residuals best; empty without reports. */
    public Optional<Drift.Dimension> dimension() {
        return guesses.stream()
                .reduce((one, other) -> other.weight > one.weight ? other : one)
                .map(Guess::dimension);
    }

    /** Returns the correction for the type and shape of {@code at}, whose own residual is ignored. */
    public Amount at(LogResidual at) {
        double mean = 0;
        double square = 0;
        for (Guess guess : guesses) {
            RealVector similarity = new ArrayRealVector(residuals.stream()
                    .mapToDouble(
                            residual -> USUAL_ERROR * USUAL_ERROR * DimensionKernels.of(guess.dimension, residual, at))
                    .toArray());
            double own = similarity.dotProduct(guess.coefficients);
            double left = USUAL_ERROR * USUAL_ERROR * DimensionKernels.of(guess.dimension, at, at)
                    - similarity.dotProduct(guess.root.getSolver().solve(similarity));
            mean += guess.weight * own;
            square += guess.weight * (own * own + Math.max(0, left));
        }
        return new Amount(mean, Math.max(0, square - mean * mean));
    }
}
