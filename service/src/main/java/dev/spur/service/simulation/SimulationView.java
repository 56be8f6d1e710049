package dev.spur.service.simulation;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A simulation as returned to clients.
 *
 * @param id its id
 * @param owner caller that submitted it
 * @param state state of its lifecycle
 * @param progress completed fraction
 * @param attempts number of starts
 * @param submittedAt submission time
 * @param startedAt time of the last start
 * @param endedAt end time
 * @param error cause of the failure
 * @param request the request, as JSON
 * @param results a row for each policy, as JSON; null until the simulation has succeeded
 */
record SimulationView(
        String id,
        String owner,
        String state,
        double progress,
        int attempts,
        Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String error,
        @JsonRawValue String request,
        @JsonRawValue @Nullable String results) {
    static SimulationView of(SimulationStore.Row row) {
        return new SimulationView(
                row.id(),
                row.owner(),
                row.state(),
                row.progress(),
                row.attempts(),
                row.submittedAt(),
                row.startedAt(),
                row.endedAt(),
                row.error(),
                row.request(),
                row.results());
    }
}
