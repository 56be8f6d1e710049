package dev.spur.model.aggregation;

import dev.spur.model.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The assignment of shards to aggregators.
 *
 * @param aggregators by node and number, each once
 * @param overloadedPools pools in which no layout within the limits of sharing was found
 * @param unfitJobs jobs of those pools whose shards fit on no aggregator within the limits
 */
public record AggregationLayout(List<Aggregator> aggregators, Set<String> overloadedPools, Set<String> unfitJobs) {
    /** The layout without aggregators. */
    public static final AggregationLayout NONE = new AggregationLayout(List.of());

    public AggregationLayout {
        aggregators = Checks.copy(aggregators);
        overloadedPools = Set.copyOf(overloadedPools);
        unfitJobs = Set.copyOf(unfitJobs);
        Set<String> known = new HashSet<>();
        for (Aggregator aggregator : aggregators) {
            Checks.require(
                    known.add(aggregator.number() + " of " + aggregator.node()),
                    "aggregator %s of node %s appears twice in the layout",
                    aggregator.number(),
                    aggregator.node());
        }
    }

    /** A layout within the limits of sharing. */
    public AggregationLayout(List<Aggregator> aggregators) {
        this(aggregators, Set.of(), Set.of());
    }

    /** Returns the aggregation slots of all aggregators. */
    public double slots() {
        return aggregators.stream().mapToLong(Aggregator::thousandths).sum() / 1000.0;
    }
}
