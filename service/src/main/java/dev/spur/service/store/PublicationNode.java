package dev.spur.service.store;

import dev.spur.model.cluster.NodeState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What publication asks of a node.
 *
 * @param pool its pool
 * @param acceleratorType type of its devices; null if it has none
 * @param state its state
 * @param devices its devices
 */
public record PublicationNode(String pool, @Nullable String acceleratorType, NodeState state, Set<String> devices) {
    public PublicationNode {
        devices = Set.copyOf(devices);
    }
}
