package dev.spur.prediction.speed;

import dev.spur.model.Checks;

/**
 * A predicted figure and the limits between which it is expected with a stated probability.
 *
 * @param low lower limit, above 0
 * @param median as likely too high as too low
 * @param high upper limit
 */
public record PredictionInterval(double low, double median, double high) {
    public PredictionInterval {
        Checks.positive("low", low);
        Checks.require(low <= median && median <= high, "a band must ascend: %s, %s, %s", low, median, high);
        Checks.require(Double.isFinite(high), "high (%s) must be finite", high);
    }

    /** True if {@code value} lies between the limits. */
    public boolean holds(double value) {
        return value >= low && value <= high;
    }
}
