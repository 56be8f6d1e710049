package dev.spur.solver.candidate;

import dev.spur.model.cluster.MaintenanceWindow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that take new jobs and between which a candidate does not choose: a gang may lie across any of them. Their
 * hosts may differ; what each can feed is seen to node by node.
 *
 * @param index place in {@link ClusterIndex#classes()}
 * @param pool pool of the nodes
 * @param acceleratorType type of their devices
 * @param slotsPerNode devices per node, at least 1
 * @param cpus host CPUs of the node that has most
 * @param memoryGiB host memory of the node that has most, GiB
 * @param price price of a slot for an hour
 * @param keepers names of the tenants whose reservations hold here, joined; empty if it is open to all
 * @param ahead maintenance that keeps some job off; null if there is none
 * @param nodes indices into {@link ClusterIndex#nodes()}, ascending
 */
public record NodeClass(
        int index,
        String pool,
        String acceleratorType,
        int slotsPerNode,
        double cpus,
        double memoryGiB,
        double price,
        String keepers,
        @Nullable MaintenanceWindow ahead,
        List<Integer> nodes) {
    public NodeClass {
        nodes = List.copyOf(nodes);
    }
}
