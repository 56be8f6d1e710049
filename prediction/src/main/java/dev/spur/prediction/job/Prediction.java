package dev.spur.prediction.job;

import dev.spur.model.Checks;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.prediction.speed.PredictionInterval;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How fast a job is expected to run in one configuration.
 *
 * @param point the configuration with the median throughput; 0 samples/s only where it was measured that it does not
 *     run
 * @param low throughput that is reached with the stated probability's lower limit, samples/s
 * @param high the upper limit, samples/s
 * @param origin where the figures come from
 * @param formula name of the formula behind them; null if none is
 */
public record Prediction(
        ProfilePoint point,
        double low,
        double high,
        Origin origin,
        @Nullable String formula) {
    /** Which of the three figures a planner is to be told. */
    public enum RiskAttitude {
        /** The lower limit: for promises. */
        CAUTIOUS,
        /** As likely too high as too low. */
        EVEN,
        /** The upper limit: tries what is not known yet. */
        OPTIMISTIC
    }

    public Prediction {
        double median = point.samplesPerSecond();
        Checks.require(
                low >= 0 && low <= median && median <= high && Double.isFinite(high),
                "a band must ascend: %s, %s, %s",
                low,
                median,
                high);
    }

    static Prediction of(ProfilePoint point, PredictionInterval band, Origin origin, @Nullable String formula) {
        return new Prediction(at(point, band.median()), band.low(), band.high(), origin, formula);
    }

    /** The point as {@code stance} would have it. */
    public ProfilePoint as(RiskAttitude stance) {
        return switch (stance) {
            case CAUTIOUS -> at(point, low);
            case EVEN -> point;
            case OPTIMISTIC -> at(point, high);
        };
    }

    private static ProfilePoint at(ProfilePoint point, double samplesPerSecond) {
        return new ProfilePoint(
                point.acceleratorType(),
                point.slots(),
                point.nodes(),
                point.batchSize(),
                point.strategy(),
                point.aggregationSlots(),
                samplesPerSecond);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s in [%.4g, %.4g], %s", point, low, high, origin);
    }
}
