package dev.spur.solver.candidate;

import dev.spur.model.cluster.MaintenanceWindow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that take new jobs and between which a candidate does not choose: a gang may lie across any of them. Their
 * hosts may differ; what each can feed is seen to node by node.
 *
 * @param index place in {@link ClusterIndex#classes()}
 * @param name name of the class
 * @param slotsPerNode devices per node, at least 1
 * @param cpus host CPUs of the node that has most
 * @param memoryGiB host memory of the node that has most, GiB
 * @param price price of a slot for an hour
 * @param ahead maintenance that keeps some job off; null if there is none
 * @param nodes indices into {@link ClusterIndex#nodes()}, ascending
 */
public record NodeClass(
        int index,
        NodeClassName name,
        int slotsPerNode,
        double cpus,
        double memoryGiB,
        double price,
        @Nullable MaintenanceWindow ahead,
        List<Integer> nodes) {
    public NodeClass {
        nodes = List.copyOf(nodes);
    }

    /** Returns the pool of the nodes. */
    public String pool() {
        return name.pool();
    }

    /** Returns the type of the devices. */
    public String acceleratorType() {
        return name.acceleratorType();
    }
}
