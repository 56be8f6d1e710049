package dev.spur.policies.support;

import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.policies.support.PlacementRule.FreeNode;
import dev.spur.policies.support.PlacementRule.Gang;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.List;

/** What a placement rule chooses from. */
final class EligibleNodes {
    private EligibleNodes() {}

    /** The nodes of {@code lane} on which {@code job} could have at least one slot. */
    static List<FreeNode> of(RoundView snapshot, ResidualCluster room, Job job, NodePartition lane) {
        List<FreeNode> nodes = new ArrayList<>();
        for (int v : lane.nodes()) {
            int free = room.slots(v);
            if (free > 0
                    && snapshot.hardware().isOpen(v, job)
                    && snapshot.hardware().admitsAnyway(v, job)) {
                int usable = usable(room, v, free, job.spec().host());
                if (usable > 0) {
                    int slots = snapshot.hardware().nodes().get(v).slots();
                    nodes.add(new FreeNode(v, usable, slots));
                }
            }
        }
        return nodes;
    }

    private static int usable(ResidualCluster room, int v, int free, HostDemand demand) {
        int usable = free;
        while (usable > 0 && !room.holds(v, usable, demand)) {
            usable--;
        }
        return usable;
    }

    /** What is to be placed if {@code job} gets {@code slots} of {@code lane}. */
    static Gang gang(RoundView snapshot, Job job, NodePartition lane, int slots) {
        return new Gang(
                slots,
                RoundView.tightShape(lane, slots).size(),
                job.spec().elasticity().consolidate(),
                snapshot.hardware().needsWholeNodes(lane.pool()),
                lane.classes().stream().map(NodeClass::slotsPerNode).distinct().toList());
    }
}
