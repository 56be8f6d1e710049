package dev.spur.model.performance;

import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Measured throughput of one accelerator type under one strategy, by aggregation slots, slots, nodes and batch size. It
 * is stored in arrays because a round evaluates millions of values.
 */
final class ThroughputSurface {
    private final double[] aggregations;
    private final AggregationLevel[] levels;
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
        levels = byAggregation.values().stream()
                .map(AggregationLevel.Builder::build)
                .toArray(AggregationLevel[]::new);
    }

    /** Returns a copy of the measured numbers of aggregation slots, ascending. */
    double[] aggregationSlots() {
        return aggregations.clone();
    }

    /** Returns true if no measured point is 0, so that no interpolated value is 0. */
    boolean isPositive() {
        return positive;
    }

    /**
     * Returns the curve over batch sizes at this number of aggregation slots, slots and nodes, times {@code factor}.
     */
    BatchCurve curve(double aggregationSlots, int slots, int nodes, double factor) {
        WeightedCurves curves = new WeightedCurves();
        int at = Arrays.binarySearch(aggregations, aggregationSlots);
        int above = at >= 0 ? at : -at - 1;
        if (at >= 0) {
            levels[at].addTo(curves, slots, nodes, factor);
        } else if (above == 0) {
            levels[0].addTo(curves, slots, nodes, factor * aggregationSlots / aggregations[0]);
        } else if (above == aggregations.length) {
            levels[above - 1].addTo(curves, slots, nodes, factor);
        } else {
            double part =
                    (aggregationSlots - aggregations[above - 1]) / (aggregations[above] - aggregations[above - 1]);
            levels[above - 1].addTo(curves, slots, nodes, factor * (1 - part));
            levels[above].addTo(curves, slots, nodes, factor * part);
        }
        return curves.curve();
    }
}
