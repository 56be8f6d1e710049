package dev.spur.policies.support;

import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.policies.support.PlacementRule.FreeNode;
import dev.spur.policies.support.PlacementRule.Gang;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.List;

/** Nodes and gang description passed to a placement rule. */
final class EligibleNodes {
    private EligibleNodes() {}

    /**
     * Returns the nodes of {@code partition} on which {@code job} could hold at least one slot with {@code demand} for
     * host resources.
     */
    static List<FreeNode> of(
            RoundView view, ResidualCluster remainingCluster, Job job, NodePartition partition, HostDemand demand) {
        List<FreeNode> nodes = new ArrayList<>();
        for (int v : partition.nodes()) {
            int free = remainingCluster.slots(v);
            if (free > 0
                    && view.clusterIndex().isOpen(v, job)
                    && view.clusterIndex().admitsAnyway(v, job)) {
                int usable = usable(remainingCluster, v, free, demand);
                if (usable > 0) {
                    int slots = view.clusterIndex().nodes().get(v).slots();
                    nodes.add(new FreeNode(v, usable, slots));
                }
            }
        }
        return nodes;
    }

    private static int usable(ResidualCluster remainingCluster, int v, int free, HostDemand demand) {
        int usable = free;
        while (usable > 0 && !remainingCluster.holds(v, usable, demand)) {
            usable--;
        }
        return usable;
    }

    /** Returns the description of the gang that gives {@code job} {@code slots} of {@code partition}. */
    static Gang gang(RoundView view, Job job, NodePartition partition, int slots) {
        return new Gang(
                slots,
                RoundView.tightShape(partition, slots).size(),
                job.spec().elasticity().consolidate(),
                view.clusterIndex().needsWholeNodes(partition.pool()),
                partition.nodes().stream()
                        .map(v -> view.clusterIndex().nodes().get(v).slots())
                        .distinct()
                        .toList());
    }
}
