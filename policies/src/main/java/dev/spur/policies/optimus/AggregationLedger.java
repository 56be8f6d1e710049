package dev.spur.policies.optimus;

import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import java.util.HashMap;
import java.util.Map;

/** Aggregation slots of the pools while they are handed out, without those that untouchable jobs hold. */
final class AggregationLedger {
    private final Map<String, Double> all = new HashMap<>();
    private final Map<String, Double> free = new HashMap<>();

    AggregationLedger(RoundView snapshot) {
        for (NodePartition lane : snapshot.lanes()) {
            all.put(lane.pool(), snapshot.hardware().aggregationThousandths(lane.pool()) / 1000.0);
        }
        free.putAll(all);
        for (int j = 0; j < snapshot.jobs(); j++) {
            var held = snapshot.job(j).allocation();
            if (held != null && snapshot.isPinned(j)) {
                free.merge(held.configuration().pool(), -held.configuration().aggregationSlots(), Double::sum);
            }
        }
    }

    /** Aggregation slots of the lane's pool. */
    double all(NodePartition lane) {
        return all.getOrDefault(lane.pool(), 0.0);
    }

    /** Aggregation slots of the lane's pool that nobody has. */
    double free(NodePartition lane) {
        return free.getOrDefault(lane.pool(), 0.0);
    }

    void take(NodePartition lane, double slots) {
        free.merge(lane.pool(), -slots, Double::sum);
    }
}
