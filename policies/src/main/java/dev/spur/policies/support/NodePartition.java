package dev.spur.policies.support;

import dev.spur.solver.candidate.NodeClass;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one pool and accelerator type that take new jobs, if there are any. A policy that knows no types counts
 * slots lane by lane.
 *
 * @param index place in {@link RoundView#lanes()}
 * @param pool pool of the nodes
 * @param type accelerator type of the nodes
 * @param slots slots of all nodes; 0 where jobs may only stay
 * @param nodeSlots slots of the largest node, at least 1
 * @param nodes numbers of the nodes in the problem, ascending
 * @param classes the classes of the nodes
 */
public record NodePartition(
        int index, String pool, String type, int slots, int nodeSlots, List<Integer> nodes, List<NodeClass> classes) {
    public NodePartition {
        nodes = List.copyOf(nodes);
        classes = List.copyOf(classes);
    }

    /** Two lanes of one snapshot are the same if they stand at the same place. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodePartition lane
                && index == lane.index
                && pool.equals(lane.pool)
                && type.equals(lane.type);
    }

    @Override
    public int hashCode() {
        return index;
    }
}
