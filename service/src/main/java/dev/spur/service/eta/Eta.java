package dev.spur.service.eta;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When something is expected.
 *
 * @param outcome what can be said
 * @param low start of the band; null if it lies beyond what was replayed, or nothing can be said
 * @param median the middle of the samples; null likewise
 * @param high end of the band; null likewise
 * @param horizonEnd what is null of the three is later than this; null if none is, or if nothing can be said
 * @param message the same for people
 */
public record Eta(
        Outcome outcome,
        @Nullable Instant low,
        @Nullable Instant median,
        @Nullable Instant high,
        @Nullable Instant horizonEnd,
        String message) {
    /** What can be said of a time. */
    public enum Outcome {
        /** There is an estimate. */
        ESTIMATED,
        /** More than half of the samples lie beyond what was replayed. */
        BEYOND_HORIZON,
        /** It can never be with the nodes that there are. */
        NEVER,
        /** Not before somebody releases the job. */
        HELD
    }

    /** Nothing is expected of a job that is held. */
    static final Eta HELD = new Eta(Outcome.HELD, null, null, null, null, "Not before somebody releases the job.");

    /** Nothing is expected of a preparation that is held. */
    static final Eta HELD_PREPARATION = held("Not before somebody releases the preparation.");

    /** Nothing, as long as nobody does anything. */
    static Eta held(String why) {
        return new Eta(Outcome.HELD, null, null, null, null, why);
    }

    /** Never, for a reason in words. */
    static Eta never(String why) {
        return new Eta(Outcome.NEVER, null, null, null, null, "Not with the nodes that there are: " + why);
    }
}
