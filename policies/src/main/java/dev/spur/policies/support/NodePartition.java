package dev.spur.policies.support;

import dev.spur.solver.candidate.NodeClass;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one pool and accelerator type that accept new jobs. A policy that supports one kind of slot works
 * partition by partition.
 *
 * @param index position in {@link RoundView#partitions()}
 * @param pool pool of the nodes
 * @param type accelerator type of the nodes
 * @param slots slots of all nodes; 0 where running jobs may stay but no job may start
 * @param nodeSlots slots of the largest node, at least 1
 * @param nodes numbers of the nodes in the problem, ascending
 * @param classes classes of the nodes
 */
public record NodePartition(
        int index, String pool, String type, int slots, int nodeSlots, List<Integer> nodes, List<NodeClass> classes) {
    public NodePartition {
        nodes = List.copyOf(nodes);
        classes = List.copyOf(classes);
    }

    /** Two partitions of one view are equal if their positions are equal. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodePartition partition
                && index == partition.index
                && pool.equals(partition.pool)
                && type.equals(partition.type);
    }

    @Override
    public int hashCode() {
        return index;
    }
}
