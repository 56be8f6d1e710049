package dev.spur.model.performance;

import dev.spur.model.Checks;

/**
 * One throughput measurement.
 *
 * @param acceleratorType type of all devices used
 * @param slots number of devices used
 * @param nodes number of nodes used, at most {@code slots}
 * @param batchSize global batch size, samples per step
 * @param strategy how gradients were synchronized
 * @param aggregationSlots aggregation slots used; 0 for AllReduce
 * @param samplesPerSecond measured throughput, at least 0; 0 if the job cannot run in this configuration
 */
public record ProfilePoint(
        String acceleratorType,
        int slots,
        int nodes,
        int batchSize,
        SyncStrategy strategy,
        double aggregationSlots,
        double samplesPerSecond) {
    public ProfilePoint {
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.atLeast("slots", slots, 1);
        Checks.require(nodes >= 1 && nodes <= slots, "nodes (%s) must be from 1 to slots (%s)", nodes, slots);
        Checks.atLeast("batchSize", batchSize, 1);
        Checks.atLeast("aggregationSlots", aggregationSlots, 0);
        Checks.require(
                (strategy == SyncStrategy.ALL_REDUCE) == (aggregationSlots == 0),
                "aggregationSlots (%s) does not fit strategy %s",
                aggregationSlots,
                strategy);
        Checks.atLeast("samplesPerSecond", samplesPerSecond, 0);
    }

    /** Returns a point measured with AllReduce. */
    public static ProfilePoint allReduce(String type, int slots, int nodes, int batchSize, double samplesPerSecond) {
        return new ProfilePoint(type, slots, nodes, batchSize, SyncStrategy.ALL_REDUCE, 0, samplesPerSecond);
    }
}
