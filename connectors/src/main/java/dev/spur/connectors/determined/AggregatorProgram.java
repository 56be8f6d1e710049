package dev.spur.connectors.determined;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * What zero-slot commands run that sum gradients.
 *
 * @param image the container image; empty for the one that Determined uses for tasks without slots
 * @param entrypoint what starts the program there, without its options
 * @param service where containers reach Spur
 * @param pool resource pool of the commands; empty for that of the nodes for which they stand
 */
public record AggregatorProgram(Optional<String> image, List<String> entrypoint, URI service, Optional<String> pool) {
    public AggregatorProgram {
        entrypoint = List.copyOf(entrypoint);
        if (entrypoint.isEmpty()) {
            throw new IllegalArgumentException("the entrypoint of aggregators must not be empty");
        }
        if (service.getHost() == null) {
            throw new IllegalArgumentException("the service of aggregators (%s) must name a host".formatted(service));
        }
    }
}
