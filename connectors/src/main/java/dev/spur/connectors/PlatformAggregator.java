package dev.spur.connectors;

import java.time.Instant;
import java.util.Optional;

/**
 * A gradient aggregator that Spur started, as its platform reports it.
 *
 * @param id id on the platform
 * @param mark identifier of the start; all aggregators with one mark belong to the same start
 * @param startedAt time of the start request
 * @param ended true if it has ended; the platform removes it some time later
 * @param host address for clients; empty unless it runs
 * @param port port for clients
 * @param state state on the platform, as text
 */
public record PlatformAggregator(
        String id, String mark, Instant startedAt, boolean ended, Optional<String> host, int port, String state) {
    public PlatformAggregator {
        ArgumentChecks.requireNonBlank("id", id);
        ArgumentChecks.requireNonBlank("mark", mark);
        state = PlatformText.clean(state);
    }
}
