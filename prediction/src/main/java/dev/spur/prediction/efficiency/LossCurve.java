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
 * A loss that falls as {@code 1 / (alpha e + beta) + gamma} with the work e, counted in epochs or in whatever the
 * losses came with. Source: Peng et al., Optimus, EuroSys '18: later thirds of what was measured count four times as
 * much each as the one before.
 *
 * @param alpha how fast it falls, above 0
 * @param beta reciprocal of the fall from the first epoch on, above 0
 * @param gamma loss that is never undercut, at least 0
 */
public record LossCurve(double alpha, double beta, double gamma) {
    private static final int FEWEST = 3;
    private static final double LATER = 4;
    private static final int STEPS = 200;
    private static final double FLOOR = 1e-9;

    public LossCurve {
        Checks.positive("alpha", alpha);
        Checks.positive("beta", beta);
        Checks.atLeast("gamma", gamma, 0);
    }

    /** The curve through at least three losses that fall; empty if they are fewer or do not fall. */
    public static Optional<LossCurve> fit(List<LossPoint> measured) {
        List<LossPoint> points = new ArrayList<>(measured);
        points.sort(Comparator.comparingDouble(LossPoint::work));
        if (points.size() < FEWEST) {
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
                            LossCurve::inside))
                    .getPoint()
                    .toArray();
            return Optional.of(new LossCurve(Math.exp(found[0]), Math.exp(found[1]), Math.exp(found[2])));
        } catch (MathIllegalStateException tooManySteps) {
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

    private static RealVector inside(RealVector point) {
        for (int i = 0; i < point.getDimension(); i++) {
            point.setEntry(i, Math.min(40, Math.max(-40, point.getEntry(i))));
        }
        return point;
    }

    /** Loss after {@code work}. */
    public double at(double work) {
        return 1 / (alpha * work + beta) + gamma;
    }

    /** Work until the loss is {@code target}, from the beginning; empty if it never will be. */
    public OptionalDouble workTo(double target) {
        if (target <= gamma) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(Math.max(0, (1 / (target - gamma) - beta) / alpha));
    }

    /** Work at which the loss falls by less than {@code fall} over the {@code window} of work that follows. */
    public double workToStandstill(double fall, double window) {
        Checks.positive("fall", fall);
        Checks.positive("window", window);
        // 1 / x - 1 / (x + a w) = fall with x = a e + b: a quadratic in x.
        double step = alpha * window;
        double x = (-step + Math.sqrt(step * step + 4 * step / fall)) / 2;
        return Math.max(0, (x - beta) / alpha);
    }
}
