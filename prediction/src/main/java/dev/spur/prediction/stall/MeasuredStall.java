package dev.spur.prediction.stall;

import dev.spur.model.Checks;

/**
 * Mean of the logarithms of the measured stalls of one kind of change. Plain data.
 *
 * @param meanLog mean of the natural logarithms of the seconds; ignored without changes
 * @param changes number of measured changes, at least 0
 */
public record MeasuredStall(double meanLog, long changes) {
    /** A kind of change without measurements. */
    static final MeasuredStall NONE = new MeasuredStall(0, 0);

    /** Minimum stall in seconds, because the logarithm of 0 is infinite. */
    private static final double MIN = 0.001;
    /** Number of changes over which the mean extends; software and storage change, so that older changes must fade. */
    private static final long MEMORY = 8;
    /** Maximum distance between a change and the mean of the earlier ones; a change beyond it is clipped. */
    private static final double OUTLIER = 3 * StallModel.DEVIATION;

    public MeasuredStall {
        Checks.require(changes >= 0, "changes (%s) must be at least 0", changes);
    }

    /** Returns the natural logarithm of a stall, which is at least a millisecond. */
    static double log(double seconds) {
        return Math.log(Math.max(MIN, seconds));
    }

    /** Returns this mean with one more change. */
    MeasuredStall and(double seconds) {
        double reported = log(seconds);
        if (changes == 0) {
            return new MeasuredStall(reported, 1);
        }
        double bounded = Math.min(meanLog + OUTLIER, Math.max(meanLog - OUTLIER, reported));
        return new MeasuredStall(meanLog + (bounded - meanLog) / Math.min(MEMORY, changes + 1), changes + 1);
    }

    /** Returns the mean of the posterior of {@code priorLog}, which counts as {@code priorWeight} changes. */
    double posterior(double priorLog, double priorWeight) {
        double counted = Math.min(MEMORY, changes);
        return (priorWeight * priorLog + counted * meanLog) / (priorWeight + counted);
    }
}
