package dev.spur.model.performance;

import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Measured throughput of one accelerator type under one strategy, by aggregation slots, slots, nodes and batch size, in
 * arrays: a round asks for millions of values.
 */
final class ThroughputSurface {
    private final double[] aggregations;
    private final AggregationLevel[] layers;
    private final boolean positive;

    /** @param points at least one, all of one type and strategy */
    ThroughputSurface(List<ProfilePoint> points) {
        positive = points.stream().allMatch(point -> point.samplesPerSecond() > 0);
        NavigableMap<Double, AggregationLevel.Builder> byAggregation = new TreeMap<>();
        for (ProfilePoint point : points) {
            byAggregation
                    .computeIfAbsent(point.aggregationSlots(), a -> new AggregationLevel.Builder())
                    .add(point);
        }
        aggregations =
                byAggregation.keySet().stream().mapToDouble(Double::doubleValue).toArray();
        layers = byAggregation.values().stream()
                .map(AggregationLevel.Builder::build)
                .toArray(AggregationLevel[]::new);
    }

    /** Measured numbers of aggregation slots, ascending; a copy. */
    double[] aggregationSlots() {
        return aggregations.clone();
    }

    /** True if no measured point is 0, so that nothing between them is. */
    boolean isPositive() {
        return positive;
    }

    /** The curve over batch sizes at this number of aggregation slots, slots and nodes, times {@code factor}. */
    BatchCurve curve(double aggregationSlots, int slots, int nodes, double factor) {
        WeightedCurves mixture = new WeightedCurves();
        int at = Arrays.binarySearch(aggregations, aggregationSlots);
        int above = at >= 0 ? at : -at - 1;
        if (at >= 0) {
            layers[at].addTo(mixture, slots, nodes, factor);
        } else if (above == 0) {
            layers[0].addTo(mixture, slots, nodes, factor * aggregationSlots / aggregations[0]);
        } else if (above == aggregations.length) {
            layers[above - 1].addTo(mixture, slots, nodes, factor);
        } else {
            double part =
                    (aggregationSlots - aggregations[above - 1]) / (aggregations[above] - aggregations[above - 1]);
            layers[above - 1].addTo(mixture, slots, nodes, factor * (1 - part));
            layers[above].addTo(mixture, slots, nodes, factor * part);
        }
        return mixture.curve();
    }
}
