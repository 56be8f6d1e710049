package dev.spur.service.round;

import dev.spur.model.cluster.NodeState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Node data that publication checks.
 *
 * @param pool pool of the node
 * @param acceleratorType type of its devices; null if it has none
 * @param state state of the node
 * @param devices devices of the node
 */
record PublicationNode(String pool, @Nullable String acceleratorType, NodeState state, Set<String> devices) {
    public PublicationNode {
        devices = Set.copyOf(devices);
    }
}
