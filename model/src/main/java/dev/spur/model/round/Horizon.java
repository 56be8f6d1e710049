package dev.spur.model.round;

import dev.spur.model.Checks;

/**
 * How far ahead a round looks for each job.
 *
 * @param minSeconds shortest horizon, above 0
 * @param restartFactor multiple of the job's restart penalty that the horizon has at least
 */
public record Horizon(double minSeconds, double restartFactor) {
    /** 20 minutes, or 4 restart penalties. */
    public static final Horizon DEFAULT = new Horizon(1200, 4);

    public Horizon {
        Checks.positive("minSeconds", minSeconds);
        Checks.atLeast("restartFactor", restartFactor, 1);
    }

    /** Horizon of a job with this restart penalty, seconds. */
    public double seconds(double restartPenaltySeconds) {
        return Math.max(minSeconds, restartFactor * restartPenaltySeconds);
    }
}
