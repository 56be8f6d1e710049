package dev.spur.simulator.experiment;

import dev.spur.model.Checks;
import java.util.Arrays;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * Mean with its 95 % confidence interval by Student's t, for independent values with an approximately normal mean.
 *
 * @param mean mean of the values
 * @param half half width of the interval, at least 0; infinite for a single value
 */
record ConfidenceInterval(double mean, double half) {
    private static final double ONE_SIDE = 0.975;

    /** Returns the interval of {@code values}, at least one. */
    static ConfidenceInterval of(double[] values) {
        Checks.atLeast("values", values.length, 1);
        double mean = Arrays.stream(values).average().orElseThrow();
        if (values.length == 1) {
            return new ConfidenceInterval(mean, Double.POSITIVE_INFINITY);
        }
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        double error = Math.sqrt(squares / (values.length - 1) / values.length);
        return new ConfidenceInterval(
                mean, error * new TDistribution(values.length - 1).inverseCumulativeProbability(ONE_SIDE));
    }
}
