package dev.spur.policies.optimus;

import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import java.util.HashMap;
import java.util.Map;

/** Free aggregation slots of the pools while they are granted, without those of pinned jobs. */
final class AggregationLedger {
    private final Map<String, Double> all = new HashMap<>();
    private final Map<String, Double> free = new HashMap<>();

    AggregationLedger(RoundView view) {
        for (NodePartition partition : view.partitions()) {
            all.put(partition.pool(), view.clusterIndex().aggregationThousandths(partition.pool()) / 1000.0);
        }
        free.putAll(all);
        for (int j = 0; j < view.jobs(); j++) {
            var heldAllocation = view.job(j).allocation();
            if (heldAllocation != null && view.isPinned(j)) {
                free.merge(
                        heldAllocation.configuration().pool(),
                        -heldAllocation.configuration().aggregationSlots(),
                        Double::sum);
            }
        }
    }

    /** Returns the aggregation slots of the partition's pool. */
    double all(NodePartition partition) {
        return all.getOrDefault(partition.pool(), 0.0);
    }

    /** Returns the free aggregation slots of the partition's pool. */
    double free(NodePartition partition) {
        return free.getOrDefault(partition.pool(), 0.0);
    }

    void take(NodePartition partition, double slots) {
        free.merge(partition.pool(), -slots, Double::sum);
    }
}
