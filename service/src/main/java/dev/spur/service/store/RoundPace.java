package dev.spur.service.store;

/**
 * How often rounds run.
 *
 * @param roundSeconds time from the start of a round to the start of the next one
 * @param earlyRoundSeconds least time to the next one when something important changed
 */
public record RoundPace(double roundSeconds, double earlyRoundSeconds) {
    /** A round every minute, and within two seconds of a change. */
    public static final RoundPace DEFAULT = new RoundPace(60, 2);
}
