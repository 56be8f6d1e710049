package dev.spur.connectors.determined;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * The program that aggregator commands run.
 *
 * @param image container image; empty for the default image of tasks without slots
 * @param entrypoint command that starts the program, without its options
 * @param service URL of Spur as seen from the containers
 * @param pool resource pool of the commands; empty for the pool of the nodes that they serve
 */
public record AggregatorProgram(Optional<String> image, List<String> entrypoint, URI service, Optional<String> pool) {
    public AggregatorProgram {
        entrypoint = List.copyOf(entrypoint);
        if (entrypoint.isEmpty()) {
            throw new IllegalArgumentException("entrypoint of aggregators must not be empty");
        }
        if (service.getHost() == null) {
            throw new IllegalArgumentException("service of aggregators (%s) must contain a host".formatted(service));
        }
    }
}
