package dev.spur.prediction.speed;

import dev.spur.model.Checks;

/**
 * Step times with what is not known about them. Logarithms of seconds are normally distributed.
 *
 * <p>Never better than physics allows: a step on several slots never takes less than the same passes on one slot, hence
 * the throughput of k slots is at most k times that of one.
 */
public interface PredictiveDistribution extends SpeedModel {
    /** Name of the formula: {@code pollux}, {@code saxena}, {@code optimus}, {@code ernest} or {@code usl}. */
    String formula();

    /** Covariance of the logarithms of the seconds in two shapes, noise of measurements left out. */
    double covariance(StepShape a, StepShape b);

    /** Variance of the noise of one more measurement, as a difference of logarithms. */
    double noise();

    /** Standard deviations from the median within which a figure lies with {@code probability}, in (0, 1). */
    double deviations(double probability);

    /** Standard deviation of the logarithm of the seconds that would be measured, above 0. */
    default double spread(StepShape shape) {
        return Math.sqrt(Math.max(0, covariance(shape, shape)) + noise());
    }

    /** Seconds of a step with the limits between which they lie with {@code probability}, in (0, 1). */
    default PredictionInterval band(StepShape shape, double probability) {
        Checks.require(probability > 0 && probability < 1, "probability (%s) must be in (0, 1)", probability);
        double seconds = stepSeconds(shape);
        double factor = Math.exp(spread(shape) * deviations(probability));
        double least = shape.slots() == 1 ? 0 : stepSeconds(shape.onOneSlot());
        return new PredictionInterval(Math.min(seconds, Math.max(seconds / factor, least)), seconds, seconds * factor);
    }
}
