package dev.spur.service.dataprep.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Progress report of a preparation. Members as in the contract.
 *
 * @param generation number of the start that it concerns
 * @param seq increases with each report of a generation
 * @param doneSeconds work done so far, in seconds at full speed
 * @param state state of the preparation
 * @param activity utilization of the borrowed memory, by lender
 * @param detail additional text for users
 */
record PreparationReport(
        long generation,
        long seq,
        double doneSeconds,
        State state,
        Map<String, Double> activity,
        @Nullable String detail) {
    /** State of a preparation. */
    enum State {
        /** It continues. */
        RUNNING,
        /** The data are complete. */
        COMPLETED,
        /** It ended by itself, and the data are incomplete. */
        FAILED
    }

    PreparationReport {
        activity = Map.copyOf(activity);
    }
}
