package dev.spur.policies.shockwave;

import dev.spur.model.Checks;

/**
 * Parameters of Shockwave.
 *
 * @param rounds rounds that are planned at once, at least 1
 * @param roundSeconds length of a round, above 0
 * @param makespanFactor weight of the longest rest, for each second of it, at least 0
 * @param lateFactor exponent with which a job that is later than its target weighs more, at least 0
 * @param lateByClock true if lateness compares the times at which jobs end, from the zero of the clock, where all jobs
 *     share alike, and a late job with less than a round left weighs far more; false if it compares times since the
 *     arrival, where all slots asked for share alike
 */
public record ShockwaveSettings(
        int rounds, double roundSeconds, double makespanFactor, double lateFactor, boolean lateByClock) {
    /** As in the paper on 64 slots, but for the weight of the longest rest, which is per second here. */
    public static final ShockwaveSettings DEFAULT = new ShockwaveSettings(20, 120, 1e-6, 5, false);

    /** As the authors' published simulator on 32 slots. */
    public static final ShockwaveSettings PROGRAM = new ShockwaveSettings(20, 120, 1e-3, 12, true);

    public ShockwaveSettings {
        Checks.atLeast("rounds", rounds, 1);
        Checks.positive("roundSeconds", roundSeconds);
        Checks.atLeast("makespanFactor", makespanFactor, 0);
        Checks.atLeast("lateFactor", lateFactor, 0);
    }

    /** Length of all rounds that are planned at once, seconds. */
    double windowSeconds() {
        return rounds * roundSeconds;
    }
}
