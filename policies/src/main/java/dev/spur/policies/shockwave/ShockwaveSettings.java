package dev.spur.policies.shockwave;

import dev.spur.model.Checks;

/**
 * Parameters of Shockwave.
 *
 * @param rounds rounds that are planned at once, at least 1
 * @param roundSeconds length of a round, above 0
 * @param makespanFactor weight of the longest rest, for each second of it, at least 0
 * @param lateFactor exponent with which a job that is later than its target weighs more, at least 0
 */
public record ShockwaveSettings(int rounds, double roundSeconds, double makespanFactor, double lateFactor) {
    /** As in the paper on 64 slots, but for the weight of the longest rest, which is per second here. */
    public static final ShockwaveSettings DEFAULT = new ShockwaveSettings(20, 120, 1e-6, 5);

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
