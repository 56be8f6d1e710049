package dev.spur.model.performance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Throughput of one accelerator type under one strategy, by aggregation slots, slots, nodes and batch size: measured,
 * or a multiple of that of a measured type. It is stored in arrays because a round evaluates millions of values.
 */
final class ThroughputSurface {
    /** The surface of an unknown throughput: 0 everywhere. */
    static final ThroughputSurface UNKNOWN = new ThroughputSurface(List.of());

    private final double[] aggregations;
    private final AggregationLevel[] levels;
    private final Map<Integer, Set<Integer>> nodeCounts;
    private final boolean positive;
    private final double factor;

    /** @param points all of one type and strategy */
    ThroughputSurface(List<ProfilePoint> points) {
        NavigableMap<Double, AggregationLevel.Builder> byAggregation = new TreeMap<>();
        nodeCounts = new HashMap<>();
        for (ProfilePoint point : points) {
            byAggregation
                    .computeIfAbsent(point.aggregationSlots(), a -> new AggregationLevel.Builder())
                    .add(point);
            nodeCounts.computeIfAbsent(point.slots(), slots -> new TreeSet<>()).add(point.nodes());
        }
        List<int[]> batches = new ArrayList<>();
        aggregations =
                byAggregation.keySet().stream().mapToDouble(Double::doubleValue).toArray();
        levels = byAggregation.values().stream()
                .map(builder -> builder.build(batches))
                .toArray(AggregationLevel[]::new);
        positive = !points.isEmpty() && points.stream().allMatch(point -> point.samplesPerSecond() > 0);
        factor = 1;
    }

    private ThroughputSurface(ThroughputSurface surface, double factor) {
        aggregations = surface.aggregations;
        levels = surface.levels;
        nodeCounts = surface.nodeCounts;
        positive = surface.positive;
        this.factor = factor;
    }

    /** Returns this measured surface times {@code ratio}. */
    ThroughputSurface times(double ratio) {
        return new ThroughputSurface(this, ratio);
    }

    /** Returns a copy of the measured numbers of aggregation slots, ascending. */
    double[] aggregationSlots() {
        return aggregations.clone();
    }

    /** Returns the node counts measured with {@code slots}, ascending; not to be changed. */
    Set<Integer> nodeCounts(int slots) {
        return nodeCounts.getOrDefault(slots, Set.of());
    }

    /** Returns true if there are measured points and none is 0, so that no interpolated value is 0. */
    boolean isPositive() {
        return positive;
    }

    /** Returns the curve over batch sizes at this number of aggregation slots, slots and nodes, times {@code speed}. */
    BatchCurve curve(double aggregationSlots, int slots, int nodes, double speed) {
        double scale = factor * speed;
        BatchCurve curve = new BatchCurve();
        if (levels.length == 0) {
            return curve;
        }
        int at = Arrays.binarySearch(aggregations, aggregationSlots);
        int above = at >= 0 ? at : -at - 1;
        if (at >= 0) {
            levels[at].addTo(curve, slots, nodes, scale);
        } else if (above == 0) {
            levels[0].addTo(curve, slots, nodes, scale * aggregationSlots / aggregations[0]);
        } else if (above == aggregations.length) {
            levels[above - 1].addTo(curve, slots, nodes, scale);
        } else {
            double part =
                    (aggregationSlots - aggregations[above - 1]) / (aggregations[above] - aggregations[above - 1]);
            levels[above - 1].addTo(curve, slots, nodes, scale * (1 - part));
            levels[above].addTo(curve, slots, nodes, scale * part);
        }
        return curve;
    }
}
