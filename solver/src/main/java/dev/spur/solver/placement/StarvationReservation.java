package dev.spur.solver.placement;

import dev.spur.model.allocation.Configuration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Nodes reserved for an overdue job until running jobs release them.
 *
 * @param job index of the job
 * @param configuration the configuration that it waits for
 * @param nodes ids of the nodes
 * @param start expected time of the release; other jobs start there if they are expected to end before
 */
public record StarvationReservation(int job, Configuration configuration, Set<String> nodes, double start) {
    public StarvationReservation {
        nodes = Set.copyOf(nodes);
    }

    /** Returns the start of the reservation by node. */
    public Map<String, Double> startByNode() {
        return nodes.stream().collect(Collectors.toMap(node -> node, node -> start));
    }
}
