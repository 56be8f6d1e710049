package dev.spur.prediction.job;

import dev.spur.model.Checks;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.prediction.speed.PredictionInterval;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The predicted speed of a job in one configuration.
 *
 * @param point the configuration with the median throughput; 0 samples/s only if the job was measured not to run there
 * @param low lower limit of the prediction interval, samples/s
 * @param high upper limit, samples/s
 * @param origin source of the prediction
 * @param formula name of the fitted formula; null if there is none
 */
public record Prediction(
        ProfilePoint point,
        double low,
        double high,
        Origin origin,
        @Nullable String formula) {
    /** The value of a prediction that a planner uses. */
    public enum RiskAttitude {
        /** The lower limit of the interval, for guaranteed deadlines. */
        CAUTIOUS,
        /** The median. */
        EVEN;

        /** Returns the attitude towards a job: medians, but lower limits for a guaranteed deadline. */
        public static RiskAttitude of(DeadlineStatus deadlineStatus) {
            return deadlineStatus == DeadlineStatus.GUARANTEED ? CAUTIOUS : EVEN;
        }
    }

    public Prediction {
        double median = point.samplesPerSecond();
        Checks.require(
                low >= 0 && low <= median && median <= high && Double.isFinite(high),
                "the limits of a prediction must ascend: %s, %s, %s",
                low,
                median,
                high);
    }

    static Prediction of(ProfilePoint point, PredictionInterval interval, Origin origin, @Nullable String formula) {
        return new Prediction(at(point, interval.median()), interval.low(), interval.high(), origin, formula);
    }

    /** Returns the point with another throughput. */
    static ProfilePoint at(ProfilePoint point, double samplesPerSecond) {
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
