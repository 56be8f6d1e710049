package dev.spur.policies.synergy;

import dev.spur.model.cluster.Node;
import dev.spur.policies.support.RoundView;
import java.util.List;
import java.util.stream.IntStream;

/** CPUs that Synergy leaves to aggregators: all that these may take, because Synergy grants the CPUs of slots only. */
final class AggregatorReserve {
    private AggregatorReserve() {}

    /** Returns the nodes with the CPUs for slots; whole nodes where no job may use parameter servers. */
    static List<Node> nodes(RoundView view) {
        List<Node> nodes = view.clusterIndex().nodes();
        boolean isUsed = IntStream.range(0, view.jobs())
                .anyMatch(j -> view.job(j).spec().synchronization().parameterServer());
        return isUsed
                ? nodes.stream()
                        .map(node -> node.withHost(node.cpus() - node.aggregationSlots(), node.memoryGiB(), 0))
                        .toList()
                : nodes;
    }
}
