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
 * How far expectations are off, going by surprises. Each {@linkplain Drift.Dimension dimension} is a guess at what is
 * wrong; that nothing is wrong is one more. Each guess is weighed by how likely it makes the surprises, and speaks by
 * its weight: a dimension that explains them all soon speaks alone, and what it says reaches places where the job never
 * ran.
 */
public final class ResidualModel {
    /** Nothing was reported. */
    public static final ResidualModel NONE = new ResidualModel(List.of());

    /** How far an expectation that is wrong usually is: a factor of 2. */
    private static final double USUAL_ERROR = Math.log(2);
    /** How far reports and expectations differ where nothing is wrong. */
    private static final double NOISE = 0.07;
    /** Weight of "nothing is wrong" before anything was reported, over that of each dimension. */
    private static final double TRUST = 3;

    /**
     * A correction at one place.
     *
     * @param log what to add to the logarithm of the expected seconds
     * @param variance of what then remains unknown of it
     */
    public record Amount(double log, double variance) {}

    private record Guess(Drift.Dimension dimension, RealVector lessons, CholeskyDecomposition root, double weight) {}

    private final List<LogResidual> surprises;
    private final List<Guess> guesses = new ArrayList<>();
    private final double trust;

    private ResidualModel(List<LogResidual> surprises) {
        this.surprises = List.copyOf(surprises);
        RealVector amounts = new ArrayRealVector(
                surprises.stream().mapToDouble(LogResidual::log).toArray());
        double nothing = Math.log(TRUST)
                - amounts.dotProduct(amounts) / (2 * NOISE * NOISE)
                - surprises.size() * Math.log(NOISE);
        double most = nothing;
        List<Guess> raw = new ArrayList<>();
        for (Drift.Dimension dimension : surprises.isEmpty() ? new Drift.Dimension[0] : Drift.Dimension.values()) {
            Guess guess = guess(dimension, amounts);
            raw.add(guess);
            most = Math.max(most, guess.weight);
        }
        double sum = Math.exp(nothing - most);
        for (Guess guess : raw) {
            sum += Math.exp(guess.weight - most);
        }
        trust = Math.exp(nothing - most) / sum;
        for (Guess guess : raw) {
            guesses.add(new Guess(guess.dimension, guess.lessons, guess.root, Math.exp(guess.weight - most) / sum));
        }
    }

    /** A guess whose weight is still the logarithm of how likely it makes the surprises. */
    private Guess guess(Drift.Dimension dimension, RealVector amounts) {
        CholeskyDecomposition root = new CholeskyDecomposition(covariance(dimension), 1e-9, 0);
        RealVector lessons = root.getSolver().solve(amounts);
        return new Guess(dimension, lessons, root, -amounts.dotProduct(lessons) / 2 - halfLogDeterminant(root));
    }

    /** What {@code surprises} teach. */
    public static ResidualModel of(List<LogResidual> surprises) {
        return surprises.isEmpty() ? NONE : new ResidualModel(surprises);
    }

    private RealMatrix covariance(Drift.Dimension dimension) {
        int n = surprises.size();
        RealMatrix covariance = MatrixUtils.createRealMatrix(n, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                covariance.setEntry(
                        i,
                        j,
                        USUAL_ERROR * USUAL_ERROR * DimensionKernels.of(dimension, surprises.get(i), surprises.get(j))
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

    /** True if it is more likely than not that something is wrong. */
    public boolean isCertain() {
        return trust < 0.5;
    }

    /** The dimension that explains the surprises best; empty if nothing was reported. */
    public Optional<Drift.Dimension> dimension() {
        return guesses.stream()
                .reduce((one, other) -> other.weight > one.weight ? other : one)
                .map(Guess::dimension);
    }

    /** The correction at the place of {@code at}, whose own amount is not looked at. */
    public Amount at(LogResidual at) {
        double mean = 0;
        double square = 0;
        for (Guess guess : guesses) {
            RealVector kinship = new ArrayRealVector(surprises.stream()
                    .mapToDouble(
                            surprise -> USUAL_ERROR * USUAL_ERROR * DimensionKernels.of(guess.dimension, surprise, at))
                    .toArray());
            double own = kinship.dotProduct(guess.lessons);
            double left = USUAL_ERROR * USUAL_ERROR * DimensionKernels.of(guess.dimension, at, at)
                    - kinship.dotProduct(guess.root.getSolver().solve(kinship));
            mean += guess.weight * own;
            square += guess.weight * (own * own + Math.max(0, left));
        }
        return new Amount(mean, Math.max(0, square - mean * mean));
    }
}
