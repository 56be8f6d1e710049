package dev.spur.solver.recommend;

import dev.spur.model.Checks;

/**
 * Offer of nodes of one kind.
 *
 * @param name name of the kind
 * @param acceleratorType type of their devices
 * @param slots devices of each node
 * @param count maximum number of nodes
 * @param pricePerSlotHour price of one slot for one hour
 * @param billedWhole whether a node is billed with all its slots, however many are used
 * @param aggregationSlots CPUs of each node that aggregators may take, at most {@code cpus}
 * @param pricePerAggregationSlotHour price of one aggregation slot for one hour
 * @param cpus host CPUs of each node
 * @param memoryGiB host memory of each node, GiB
 */
public record NodeOffer(
        String name,
        String acceleratorType,
        int slots,
        int count,
        double pricePerSlotHour,
        boolean billedWhole,
        double aggregationSlots,
        double pricePerAggregationSlotHour,
        double cpus,
        double memoryGiB) {
    public NodeOffer {
        Checks.nonBlank("name", name);
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.atLeast("slots", slots, 1);
        Checks.atLeast("count", count, 1);
        Checks.atLeast("pricePerSlotHour", pricePerSlotHour, 0);
        Checks.atLeast("aggregationSlots", aggregationSlots, 0);
        Checks.atLeast("pricePerAggregationSlotHour", pricePerAggregationSlotHour, 0);
        Checks.atLeast("cpus", cpus, 0);
        Checks.atLeast("memoryGiB", memoryGiB, 0);
        Checks.require(
                aggregationSlots <= cpus,
                "aggregationSlots (%s) must be at most the cpus (%s) of the node, because aggregators run on them",
                aggregationSlots,
                cpus);
    }
}
