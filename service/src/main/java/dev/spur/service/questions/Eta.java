package dev.spur.service.questions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Predicted time of an event, with a prediction interval. Members as in the contract. */
public record Eta(
        Outcome outcome,
        @Nullable Instant low,
        @Nullable Instant median,
        @Nullable Instant high,
        @Nullable Instant horizonEnd,
        String message) {
    /** Kinds of predictions. */
    public enum Outcome {
        /** A prediction exists. */
        ESTIMATED,
        /** More than half of the samples lie beyond the simulated horizon. */
        BEYOND_HORIZON,
        /** Impossible with the registered nodes. */
        NEVER,
        /** Nothing is known about the speed of the job. */
        UNKNOWN,
        /** Not before the job is released. */
        HELD,
        /** The job has started or stopped since the last prediction, and the next one follows. */
        OUTDATED
    }

    /** Completion of a job of whose speed nothing is known. */
    static final Eta UNKNOWN = new Eta(
            Outcome.UNKNOWN,
            null,
            null,
            null,
            null,
            "Unknown until it has run: nothing is known about the speed of the job.");

    /** ETA of a job that has started or stopped since the last prediction. */
    static final Eta OUTDATED = new Eta(
            Outcome.OUTDATED,
            null,
            null,
            null,
            null,
            "The next prediction follows: the job has started or stopped since the last one.");

    /** ETA of a held job. */
    static final Eta HELD = new Eta(Outcome.HELD, null, null, null, null, "Not before the job is released.");

    /** No prediction until an operator or owner acts. */
    static Eta ofHeldJob(String why) {
        return new Eta(Outcome.HELD, null, null, null, null, why);
    }

    /** Impossible, with the reason. */
    static Eta never(String why) {
        return new Eta(Outcome.NEVER, null, null, null, null, "Not with the registered nodes: " + why);
    }
}
