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
            int free = free(remainingCluster, v, job);
            if (free > 0
                    && view.clusterIndex().isOpen(v, job)
                    && view.clusterIndex().admitsAnyway(v, job)) {
                int usable = isShare(job)
                        ? (remainingCluster.hostHolds(v, 1, demand) ? 1 : 0)
                        : usable(remainingCluster, v, free, demand);
                if (usable > 0) {
                    int slots = view.clusterIndex().nodes().get(v).slots();
                    nodes.add(new FreeNode(v, usable, slots));
                }
            }
        }
        return nodes;
    }

    /** Returns the free slots of node {@code v}; for a share, 1 if it fits on a device that others share. */
    private static int free(ResidualCluster remainingCluster, int v, Job job) {
        int parts = job.spec().elasticity().partsPerDevice();
        return isShare(job) && remainingCluster.rooms().tightest(v, parts) >= 0 ? 1 : remainingCluster.slots(v);
    }

    private static boolean isShare(Job job) {
        return job.spec().elasticity().deviceShare() != null;
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
