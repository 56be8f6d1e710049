package dev.spur.prediction.speed;

import dev.spur.model.Checks;

/**
 * The predictive distribution of step times: logarithms of seconds are normally distributed.
 *
 * <p>It respects a physical limit: a step on several slots never takes less than the same passes on one slot. The
 * throughput of k slots is therefore at most k times that of one.
 */
public interface PredictiveDistribution extends SpeedModel {
    /**
     * Returns the name of the formula: {@code pollux}, {@code saxena}, {@code optimus}, {@code ernest} or {@code usl}.
     */
    String formula();

    /** Returns the covariance of the logarithms of the seconds in two shapes, without measurement noise. */
    double covariance(StepShape a, StepShape b);

    /** Returns the noise variance of one more measurement, as a difference of logarithms. */
    double noise();

    /**
     * Returns the number of standard deviations around the median that contain a value with {@code probability}, in (0,
     * 1).
     */
    double deviations(double probability);

    /** Returns the standard deviation of the logarithm of measured seconds, above 0. */
    default double spread(StepShape shape) {
        return Math.sqrt(Math.max(0, covariance(shape, shape)) + noise());
    }

    /** Returns the seconds of a step with the limits that contain them with {@code probability}, in (0, 1). */
    default PredictionInterval band(StepShape shape, double probability) {
        Checks.require(probability > 0 && probability < 1, "probability (%s) must be in (0, 1)", probability);
        double seconds = stepSeconds(shape);
        double factor = Math.exp(spread(shape) * deviations(probability));
        double min = shape.slots() == 1 ? 0 : stepSeconds(shape.onOneSlot());
        return new PredictionInterval(Math.min(seconds, Math.max(seconds / factor, min)), seconds, seconds * factor);
    }
}
