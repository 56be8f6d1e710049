package dev.spur.service.dataprep;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is reported of a preparation. Members as in the contract.
 *
 * @param generation of the start that it is about
 * @param seq rises with each report of a generation
 * @param doneSeconds work done by now, in seconds at full speed
 * @param state how it does
 * @param activity by lender, how busy what is borrowed there is
 * @param detail anything for people
 */
record PreparationReport(
        long generation,
        long seq,
        double doneSeconds,
        State state,
        Map<String, Double> activity,
        @Nullable String detail) {
    /** How a preparation does. */
    enum State {
        /** It goes on. */
        RUNNING,
        /** The data are there. */
        COMPLETED,
        /** It ended by itself and the data are not there. */
        FAILED
    }

    PreparationReport {
        activity = Map.copyOf(activity);
    }
}
