package dev.spur.solver.aggregation;

import dev.spur.model.Checks;

/**
 * Limits of sharing.
 *
 * @param utilization maximum utilization of a slot, above 0 and up to 1
 * @param maxStallFraction maximum fraction of its step that a job may stall on the bursts of others, at least 0; with 0
 *     no jobs share
 * @param meanStallFraction the same on average over the jobs that stall at all, at least 0
 * @param delay model of the delay
 */
public record SharingLimits(double utilization, double maxStallFraction, double meanStallFraction, Delay delay) {
    /**
     * Slots have at most 90 % utilization. A job is expected to lose at most 10 % of its step, and all stalled jobs at
     * most 5 % on average.
     */
    public static final SharingLimits DEFAULT = new SharingLimits(0.9, 0.1, 0.05, Delay.EXPECTED);

    /** Models of the delay by other jobs on the same slot. */
    public enum Delay {
        /** The probability that another job is busy, times half of its burst. */
        EXPECTED,
        /** One whole burst of each other job. */
        WORST;

        /**
         * Returns the delay that a job with {@code busySeconds} in each step of {@code stepSeconds} adds to other jobs.
         */
        double of(double busySeconds, double stepSeconds) {
            return this == WORST ? busySeconds : busySeconds * (busySeconds / stepSeconds) / 2;
        }
    }

    public SharingLimits {
        Checks.positive("utilization", utilization);
        Checks.require(utilization <= 1, "utilization (%s) must be at most 1", utilization);
        Checks.atLeast("maxStallFraction", maxStallFraction, 0);
        Checks.atLeast("meanStallFraction", meanStallFraction, 0);
    }
}
