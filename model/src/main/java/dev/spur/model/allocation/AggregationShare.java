package dev.spur.model.allocation;

import dev.spur.model.Checks;

/**
 * The part of a job's aggregation capacity on one node.
 *
 * @param node id of the node
 * @param slots aggregation slots on the node, above 0; resolution 0.001
 */
public record AggregationShare(String node, double slots) {
    public AggregationShare {
        Checks.nonBlank("node", node);
        Checks.positive("slots", slots);
    }

    /** Returns the aggregation slots in thousandths. */
    public long thousandths() {
        return Math.round(slots * 1000);
    }
}
