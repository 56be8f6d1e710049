package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import java.util.List;

/** Slots of each node that pinned jobs do not hold. They limit on which devices a job adopts a configuration. */
final class MovableSlots {
    private final ClusterIndex clusterIndex;
    private final NodeSupplies supplies;
    /** By class and number of slots: number of nodes with at least that number. */
    private final int[][] nodesWith;

    MovableSlots(ClusterIndex clusterIndex, NodeSupplies supplies) {
        this.clusterIndex = clusterIndex;
        this.supplies = supplies;
        nodesWith = new int[clusterIndex.classes().size()][];
        for (NodeClass nodeClass : clusterIndex.classes()) {
            int[] nodes = new int[nodeClass.maxNodeSlots() + 1];
            for (int v : nodeClass.nodes()) {
                for (int slots = 0; slots <= supplies.movable(v); slots++) {
                    nodes[slots]++;
                }
            }
            nodesWith[nodeClass.index()] = nodes;
        }
    }

    /**
     * Returns true if devices of the class may exist on which {@code job} adopts {@code configuration} by
     * {@code change}, a {@code RESCALE} or {@code MIGRATE}. The placement decides, so the utility of the change is an
     * upper limit.
     */
    boolean mayAdopt(
            Job job, NodeClass nodeClass, NodeAccess access, Configuration configuration, ChangeMechanism change) {
        Allocation heldAllocation = job.allocation();
        if (heldAllocation == null) {
            return false;
        }
        return change == ChangeMechanism.RESCALE
                ? job.spec().rescales() && rescales(heldAllocation, nodeClass, access, configuration)
                : job.spec().migratesTo(configuration) && isDisjoint(heldAllocation, nodeClass, configuration.shape());
    }

    /** Returns true if the node of rank 0 has slots for the smallest share; the others may be on any nodes. */
    private boolean rescales(
            Allocation heldAllocation, NodeClass nodeClass, NodeAccess access, Configuration configuration) {
        int node = clusterIndex.indexOf(heldAllocation.placement().get(0).node());
        return configuration.rescalesTo(heldAllocation.configuration())
                && clusterIndex.classOf(node) == nodeClass.index()
                && access.contains(node)
                && configuration.shape().get(configuration.nodes() - 1) <= supplies.movable(node);
    }

    /**
     * Returns true if the shares of {@code shape}, in descending order, fit on slots that {@code heldAllocation}
     * leaves.
     */
    private boolean isDisjoint(Allocation heldAllocation, NodeClass nodeClass, List<Integer> shape) {
        for (int i = 0; i < shape.size(); i++) {
            int size = shape.get(i);
            int nodes = nodesWith[nodeClass.index()][size];
            for (NodeShare share : heldAllocation.placement()) {
                int v = clusterIndex.indexOf(share.node());
                boolean isLost = supplies.movable(v) >= size && supplies.movable(v) - share.slots() < size;
                nodes -= isLost && clusterIndex.classOf(v) == nodeClass.index() ? 1 : 0;
            }
            if (nodes <= i) {
                return false;
            }
        }
        return true;
    }
}
