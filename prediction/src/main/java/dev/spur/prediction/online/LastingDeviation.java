package dev.spur.prediction.online;

import dev.spur.model.Checks;

/**
 * Evidence that the steps of a job differ from the expected ones in one direction. Plain data.
 *
 * @param seconds cumulative sum of {@link ChangeDetector}, at least 0
 * @param reports reports since the sum was 0, at least 0
 */
public record LastingDeviation(double seconds, int reports) {
    /** No evidence. */
    public static final LastingDeviation NONE = new LastingDeviation(0, 0);

    public LastingDeviation {
        Checks.atLeast("seconds", seconds, 0);
        Checks.atLeast("reports", reports, 0);
    }

    /** Returns this evidence after a report that adds {@code more} seconds, which may be negative. */
    LastingDeviation and(double more) {
        return seconds + more <= 0 ? NONE : new LastingDeviation(seconds + more, reports + 1);
    }
}
