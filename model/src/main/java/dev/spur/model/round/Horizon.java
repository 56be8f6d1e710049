package dev.spur.model.round;

import dev.spur.model.Checks;

/**
 * The planning horizon of each job.
 *
 * @param minSeconds minimum horizon, above 0
 * @param restartFactor minimum horizon as a multiple of the job's restart penalty
 */
public record Horizon(double minSeconds, double restartFactor) {
    /** 20 minutes, or 4 restart penalties if that is longer. */
    public static final Horizon DEFAULT = new Horizon(1200, 4);

    public Horizon {
        Checks.positive("minSeconds", minSeconds);
        Checks.atLeast("restartFactor", restartFactor, 1);
    }

    /** Returns the horizon of a job with this restart penalty, seconds. */
    public double seconds(double restartPenaltySeconds) {
        return Math.max(minSeconds, restartFactor * restartPenaltySeconds);
    }
}
