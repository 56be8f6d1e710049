package dev.spur.policies.shockwave;

import dev.spur.model.Checks;

/**
 * Parameters of Shockwave.
 *
 * @param rounds rounds of a window, at least 1
 * @param roundSeconds length of a round, above 0
 * @param makespanFactor weight of the longest remaining time, per second, at least 0
 * @param lateFactor exponent of the lateness weight of a job, at least 0
 * @param lateByClock reference of lateness. If true, it compares completion times on the absolute clock, with an equal
 *     share for all jobs. A late job with less than a round left then has a far higher weight. If false, it compares
 *     times since arrival, with a share in proportion to requested slots
 */
public record ShockwaveSettings(
        int rounds, double roundSeconds, double makespanFactor, double lateFactor, boolean lateByClock) {
    /**
     * Parameters of the paper on 64 slots, except for the weight of the longest remaining time, which is per second
     * here.
     */
    public static final ShockwaveSettings DEFAULT = new ShockwaveSettings(20, 120, 1e-6, 5, false);

    /** Parameters of the authors' published simulator on 32 slots. */
    public static final ShockwaveSettings PROGRAM = new ShockwaveSettings(20, 120, 1e-3, 12, true);

    public ShockwaveSettings {
        Checks.atLeast("rounds", rounds, 1);
        Checks.positive("roundSeconds", roundSeconds);
        Checks.atLeast("makespanFactor", makespanFactor, 0);
        Checks.atLeast("lateFactor", lateFactor, 0);
    }

    /** Returns the length of a window in seconds. */
    double windowSeconds() {
        return rounds * roundSeconds;
    }
}
