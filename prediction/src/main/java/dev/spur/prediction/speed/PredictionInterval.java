package dev.spur.prediction.speed;

import dev.spur.model.Checks;

/**
 * A prediction with the limits of its interval for a stated probability.
 *
 * @param low lower limit, above 0
 * @param median median
 * @param high upper limit
 */
public record PredictionInterval(double low, double median, double high) {
    public PredictionInterval {
        Checks.positive("low", low);
        Checks.require(
                low <= median && median <= high,
                "the limits of a prediction must ascend: %s, %s, %s",
                low,
                median,
                high);
        Checks.require(Double.isFinite(high), "high (%s) must be finite", high);
    }

    /** Returns true if {@code value} is between the limits. */
    public boolean holds(double value) {
        return value >= low && value <= high;
    }
}
