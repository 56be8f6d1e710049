package dev.spur.model.aggregation;

import dev.spur.model.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All aggregators, and what lies where.
 *
 * @param aggregators by node and number, each once
 */
public record AggregationLayout(List<Aggregator> aggregators) {
    /** There is no aggregator. */
    public static final AggregationLayout NONE = new AggregationLayout(List.of());

    public AggregationLayout {
        aggregators = Checks.copy(aggregators);
        Set<String> known = new HashSet<>();
        for (Aggregator aggregator : aggregators) {
            Checks.require(
                    known.add(aggregator.number() + " of " + aggregator.node()),
                    "aggregator %s of node %s is there twice",
                    aggregator.number(),
                    aggregator.node());
        }
    }

    /** Aggregation slots of all aggregators. */
    public double slots() {
        return aggregators.stream().mapToLong(Aggregator::thousandths).sum() / 1000.0;
    }
}
