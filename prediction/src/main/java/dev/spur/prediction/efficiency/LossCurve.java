package dev.spur.prediction.efficiency;

import dev.spur.model.Checks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.hipparchus.exception.MathIllegalStateException;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresFactory;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.util.Pair;

/**
 * A loss curve {@code 1 / (alpha e + beta) + gamma} over the work e, in epochs or in the unit of the measured losses.
 * Source: Peng et al., Optimus, EuroSys '18. In the fit, each third of the measurements has four times the weight of
 * the third before it.
 *
 * @param alpha rate of decrease, above 0
 * @param beta reciprocal of the total decrease from the first epoch on, above 0
 * @param gamma lower limit of the loss, at least 0
 */
public record LossCurve(double alpha, double beta, double gamma) {
    private static final int MIN_POINTS = 3;
    private static final double LATER = 4;
    private static final int STEPS = 200;
    private static final double FLOOR = 1e-9;

    public LossCurve {
        Checks.positive("alpha", alpha);
        Checks.positive("beta", beta);
        Checks.atLeast("gamma", gamma, 0);
    }

    /** Returns the curve through at least three decreasing losses; empty if there are less or they do not decrease. */
    public static Optional<LossCurve> fit(List<LossPoint> measuredPoints) {
        List<LossPoint> points = new ArrayList<>(measuredPoints);
        points.sort(Comparator.comparingDouble(LossPoint::work));
        if (points.size() < MIN_POINTS) {
            return Optional.empty();
        }
        double first = points.get(0).loss();
        double last = points.get(points.size() - 1).loss();
        double span = points.get(points.size() - 1).work() - points.get(0).work();
        if (!(last < first) || !(span > 0) || last < 0) {
            return Optional.empty();
        }
        return search(points, new ArrayRealVector(new double[] {
            Math.log(1 / (first - last) / span), Math.log(1 / (first - last)), Math.log(Math.max(FLOOR, last / 2))
        }));
    }

    /** Least squares over the logarithms of the parameters, from {@code start}. */
    private static Optional<LossCurve> search(List<LossPoint> points, RealVector start) {
        RealVector target = new ArrayRealVector(points.size());
        try {
            double[] found = new LevenbergMarquardtOptimizer()
                    .optimize(LeastSquaresFactory.create(
                            at -> residuals(at, points),
                            target,
                            start,
                            null,
                            null,
                            STEPS,
                            STEPS,
                            false,
                            LossCurve::clamp))
                    .getPoint()
                    .toArray();
            return Optional.of(new LossCurve(Math.exp(found[0]), Math.exp(found[1]), Math.exp(found[2])));
        } catch (MathIllegalStateException exception) {
            return Optional.empty();
        }
    }

    private static Pair<RealVector, RealMatrix> residuals(RealVector at, List<LossPoint> points) {
        double alpha = Math.exp(at.getEntry(0));
        double beta = Math.exp(at.getEntry(1));
        double gamma = Math.exp(at.getEntry(2));
        RealVector residuals = new ArrayRealVector(points.size());
        RealMatrix slopes = MatrixUtils.createRealMatrix(points.size(), 3);
        for (int i = 0; i < points.size(); i++) {
            int third = 3 * i / points.size();
            double weight = Math.pow(LATER, third);
            double work = points.get(i).work();
            double rest = alpha * work + beta;
            residuals.setEntry(i, weight * (1 / rest + gamma - points.get(i).loss()));
            slopes.setRow(i, new double[] {
                -weight * alpha * work / (rest * rest), -weight * beta / (rest * rest), weight * gamma
            });
        }
        return new Pair<>(residuals, slopes);
    }

    private static RealVector clamp(RealVector point) {
        for (int i = 0; i < point.getDimension(); i++) {
            point.setEntry(i, Math.min(40, Math.max(-40, point.getEntry(i))));
        }
        return point;
    }

    /** Returns the loss after {@code work}. */
    public double at(double work) {
        return 1 / (alpha * work + beta) + gamma;
    }

    /** Returns the total work at which the loss is {@code target}; empty if the curve never reaches it. */
    public OptionalDouble workTo(double target) {
        if (target <= gamma) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(Math.max(0, (1 / (target - gamma) - beta) / alpha));
    }

    /**
     * Returns the work from which the loss decreases by less than {@code fall} over the next {@code window} of work.
     */
    public double workToStandstill(double fall, double window) {
        Checks.positive("fall", fall);
        Checks.positive("window", window);
        // 1 / x - 1 / (x + a w) = fall with x = a e + b: a quadratic in x.
        double step = alpha * window;
        double x = (-step + Math.sqrt(step * step + 4 * step / fall)) / 2;
        return Math.max(0, (x - beta) / alpha);
    }
}
