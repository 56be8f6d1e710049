package dev.spur.service.store;

import dev.spur.model.cluster.NodeState;
import java.util.Set;

/**
 * What publication asks of a node.
 *
 * @param state its state
 * @param devices its devices
 */
public record NodeFacts(NodeState state, Set<String> devices) {
    public NodeFacts {
        devices = Set.copyOf(devices);
    }
}
