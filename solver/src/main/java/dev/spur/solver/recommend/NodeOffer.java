package dev.spur.solver.recommend;

import dev.spur.model.Checks;

/**
 * Nodes of one kind that could be had.
 *
 * @param name what they are called
 * @param acceleratorType type of their devices
 * @param slots devices of each
 * @param count how many there are at most
 * @param pricePerSlotHour price of one slot for one hour
 * @param billedWhole true if a node is paid for with all its slots, however many of them are used
 * @param aggregationSlots CPU capacity of each for aggregators, in aggregation slots
 * @param pricePerAggregationSlotHour price of one aggregation slot for one hour
 * @param cpus host CPUs of each
 * @param memoryGiB host memory of each, GiB
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
        Checks.named("name", name);
        Checks.named("acceleratorType", acceleratorType);
        Checks.atLeast("slots", slots, 1);
        Checks.atLeast("count", count, 1);
        Checks.atLeast("pricePerSlotHour", pricePerSlotHour, 0);
        Checks.atLeast("aggregationSlots", aggregationSlots, 0);
        Checks.atLeast("pricePerAggregationSlotHour", pricePerAggregationSlotHour, 0);
        Checks.atLeast("cpus", cpus, 0);
        Checks.atLeast("memoryGiB", memoryGiB, 0);
    }
}
