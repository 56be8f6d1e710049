package dev.spur.service.simulation;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.spur.service.store.SimulationStore;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A simulation as clients see it.
 *
 * @param id its id
 * @param owner who asked for it
 * @param state where it is in its life
 * @param progress share that is done
 * @param attempts how often it was begun
 * @param submittedAt when it was asked for
 * @param startedAt when it was last begun
 * @param endedAt when it ended
 * @param error why it failed
 * @param request what was asked for, as JSON
 * @param results a row for each policy, as JSON; null until it is done
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
