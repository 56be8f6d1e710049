package dev.spur.connectors;

import java.time.Instant;
import java.util.Optional;

/**
 * A process that Spur had a platform start to sum gradients, as the platform shows it.
 *
 * @param id its id there
 * @param mark what Spur gave it when it was started: all with one mark were started for the same order
 * @param startedAt when it was asked for
 * @param ended true if it has ended; the platform forgets it some time after
 * @param host where others reach it; empty as long as it does not run
 * @param port where it listens, seen from others
 * @param state its state there, in words
 */
public record PlatformAggregator(
        String id, String mark, Instant startedAt, boolean ended, Optional<String> host, int port, String state) {
    public PlatformAggregator {
        ArgumentChecks.named("id", id);
        ArgumentChecks.named("mark", mark);
        state = PlatformText.clean(state);
    }
}
