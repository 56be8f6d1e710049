package dev.spur.prediction;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.IntStream;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealVector;

/**
 * The transform between the parameters of a step-time model and the coordinates of the optimizer: times as logarithms,
 * and gamma through a logistic curve, so that no step leaves the bounds. Parameters that the observations do not
 * determine are held fixed. Source of the fixed values: the published fit of Qiao et al., Pollux, OSDI '21.
 */
final class ParameterTransform {
    /** Number of parameters, in the order of the components of {@link StepTimeModel}. */
    static final int COUNT = 7;

    static final int GAMMA = 6;
    /** Minimum time, s; represents a cost of zero. */
    static final double FLOOR = 1e-8;

    private static final int ALPHA_C = 0;
    private static final int ALPHA_N = 2;
    private static final int BETA_N = 3;
    private static final int ALPHA_R = 4;
    private static final int BETA_R = 5;
    private static final double CEILING = 1e6;
    /** Coordinate at which the logistic curve of gamma is flat to seven digits. */
    private static final double FLAT = 16;

    private final double[] fixed = new double[COUNT];
    private final boolean[] free = new boolean[COUNT];
    private final int[] indices;

    ParameterTransform(Collection<StepTimeObservation> observations) {
        Arrays.fill(free, true);
        if (observations.stream()
                        .mapToDouble(StepTimeObservation::perDeviceBatch)
                        .distinct()
                        .count()
                == 1) {
            double mean = observations.stream()
                    .mapToDouble(StepTimeObservation::gradientSeconds)
                    .average()
                    .orElseThrow();
            hold(ALPHA_C, mean / 2);
        }
        if (observations.stream().noneMatch(o -> o.nodes() > 1)) {
            hold(ALPHA_N, FLOOR);
            hold(BETA_N, FLOOR);
        }
        if (observations.stream().noneMatch(o -> o.nodes() == 1 && o.slots() > 1)) {
            hold(ALPHA_R, FLOOR);
            hold(BETA_R, FLOOR);
        }
        if (observations.stream().noneMatch(o -> o.slots() > 2)) {
            hold(BETA_N, FLOOR);
            hold(BETA_R, FLOOR);
        }
        if (observations.stream().allMatch(o -> o.slots() == 1)) {
            hold(GAMMA, 1);
        }
        indices = IntStream.range(0, COUNT).filter(i -> free[i]).toArray();
    }

    private void hold(int parameter, double value) {
        free[parameter] = false;
        fixed[parameter] = Math.max(FLOOR, value);
    }

    /** Returns the indices of the free parameters, ascending. */
    int[] free() {
        return indices;
    }

    /** Returns the start of the search. */
    RealVector start(double gamma) {
        double[] natural = {0.1, 0.01, 0.1, 0.01, 0.1, 0.01, gamma};
        return new ArrayRealVector(
                Arrays.stream(indices).mapToDouble(i -> inward(i, natural[i])).toArray());
    }

    /** Returns all parameters at {@code point}, in natural units. */
    double[] at(RealVector point) {
        double[] natural = fixed.clone();
        for (int i = 0; i < indices.length; i++) {
            natural[indices[i]] = outward(indices[i], point.getEntry(i));
        }
        return natural;
    }

    /** Returns the derivative of a parameter by its coordinate at the parameter value {@code natural}. */
    static double slope(int parameter, double natural) {
        if (parameter != GAMMA) {
            return natural;
        }
        double range = StepTimeModel.MAX_GAMMA - 1;
        double part = (natural - 1) / range;
        return range * part * (1 - part);
    }

    /** Returns the point nearest to {@code point} at which nothing overflows. */
    RealVector clamp(RealVector point) {
        for (int i = 0; i < indices.length; i++) {
            boolean gamma = indices[i] == GAMMA;
            double low = gamma ? -FLAT : Math.log(FLOOR);
            double high = gamma ? FLAT : Math.log(CEILING);
            point.setEntry(i, Math.min(high, Math.max(low, point.getEntry(i))));
        }
        return point;
    }

    private static double inward(int parameter, double natural) {
        return parameter == GAMMA ? Math.log((natural - 1) / (StepTimeModel.MAX_GAMMA - natural)) : Math.log(natural);
    }

    private static double outward(int parameter, double coordinate) {
        return parameter == GAMMA
                ? 1 + (StepTimeModel.MAX_GAMMA - 1) / (1 + Math.exp(-coordinate))
                : Math.exp(coordinate);
    }
}
