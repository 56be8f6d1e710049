package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import java.util.List;

/** Slots of each node that pinned jobs do not hold. They limit on which devices a job adopts a configuration. */
final class MovableSlots {
    private final ClusterIndex hardware;
    private final NodeSupplies supplies;
    /** By class and number of slots: number of nodes with at least that number. */
    private final int[][] nodesWith;

    MovableSlots(ClusterIndex hardware, NodeSupplies supplies) {
        this.hardware = hardware;
        this.supplies = supplies;
        nodesWith = new int[hardware.classes().size()][];
        for (NodeClass nodeClass : hardware.classes()) {
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
        Allocation held = job.allocation();
        if (held == null) {
            return false;
        }
        return change == ChangeMechanism.RESCALE
                ? job.spec().rescales() && rescales(held, nodeClass, access, configuration)
                : job.spec().migratesTo(configuration) && isDisjoint(held, nodeClass, configuration.shape());
    }

    /** Returns true if the node of rank 0 has slots for the smallest share; the others may be on any nodes. */
    private boolean rescales(Allocation held, NodeClass nodeClass, NodeAccess access, Configuration configuration) {
        int node = hardware.indexOf(held.placement().get(0).node());
        return configuration.rescalesTo(held.configuration())
                && hardware.classOf(node) == nodeClass.index()
                && access.contains(node)
                && configuration.shape().get(configuration.nodes() - 1) <= supplies.movable(node);
    }

    /** Returns true if the shares of {@code shape}, in descending order, fit on slots that {@code held} leaves. */
    private boolean isDisjoint(Allocation held, NodeClass nodeClass, List<Integer> shape) {
        for (int i = 0; i < shape.size(); i++) {
            int size = shape.get(i);
            int nodes = nodesWith[nodeClass.index()][size];
            for (NodeShare share : held.placement()) {
                int v = hardware.indexOf(share.node());
                boolean isLost = supplies.movable(v) >= size && supplies.movable(v) - share.slots() < size;
                nodes -= isLost && hardware.classOf(v) == nodeClass.index() ? 1 : 0;
            }
            if (nodes <= i) {
                return false;
            }
        }
        return true;
    }
}
