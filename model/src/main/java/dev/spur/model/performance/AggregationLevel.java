package dev.spur.model.performance;

import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The points of a throughput surface with the same number of aggregation slots. */
final class AggregationLevel {
    private final int[] slots;
    private final int[][] nodes;
    private final MeasuredCurve[][] curves;

    private AggregationLevel(int[] slots, int[][] nodes, MeasuredCurve[][] curves) {
        this.slots = slots;
        this.nodes = nodes;
        this.curves = curves;
    }

    /**
     * Adds to {@code curve} the measured curves whose interpolation is the curve at {@code requestedSlots} and
     * {@code requestedNodes}. The total weight is {@code weight} between two measured slot counts.
     */
    void addTo(BatchCurve curve, int requestedSlots, int requestedNodes, double weight) {
        int at = Arrays.binarySearch(slots, requestedSlots);
        int above = at >= 0 ? at : -at - 1;
        if (at >= 0) {
            add(curve, at, requestedSlots, requestedNodes, weight);
        } else if (above == 0) {
            add(curve, 0, requestedSlots, requestedNodes, weight * requestedSlots / slots[0]);
        } else if (above == slots.length) {
            add(curve, above - 1, requestedSlots, requestedNodes, weight);
        } else {
            double part = (double) (requestedSlots - slots[above - 1]) / (slots[above] - slots[above - 1]);
            add(curve, above - 1, requestedSlots, requestedNodes, weight * (1 - part));
            add(curve, above, requestedSlots, requestedNodes, weight * part);
        }
    }

    private void add(BatchCurve curve, int k, int requestedSlots, int requestedNodes, double weight) {
        int n = mostSimilar(nodes[k], (double) requestedNodes * slots[k] / requestedSlots);
        curve.add(curves[k][n], weight);
    }

    /** Returns the index of the node count nearest to {@code nodeCount}; of two equally near, the greater one. */
    private static int mostSimilar(int[] measured, double nodeCount) {
        int best = 0;
        for (int n = 1; n < measured.length; n++) {
            if (Math.abs(measured[n] - nodeCount) <= Math.abs(measured[best] - nodeCount)) {
                best = n;
            }
        }
        return best;
    }

    /** Sorts points by slots, nodes and batch size, and averages repeated measurements. */
    static final class Builder {
        private final NavigableMap<Integer, NavigableMap<Integer, NavigableMap<Integer, double[]>>> points =
                new TreeMap<>();

        void add(ProfilePoint point) {
            double[] sumAndCount = points.computeIfAbsent(point.slots(), k -> new TreeMap<>())
                    .computeIfAbsent(point.nodes(), n -> new TreeMap<>())
                    .computeIfAbsent(point.batchSize(), b -> new double[2]);
            sumAndCount[0] += point.samplesPerSecond();
            sumAndCount[1]++;
        }

        /** @param known arrays of batch sizes that other levels share; new ones are added */
        AggregationLevel build(List<int[]> known) {
            int size = points.size();
            AggregationLevel level = new AggregationLevel(keys(points), new int[size][], new MeasuredCurve[size][]);
            int k = 0;
            for (NavigableMap<Integer, NavigableMap<Integer, double[]>> byNodes : points.values()) {
                level.nodes[k] = keys(byNodes);
                level.curves[k] = byNodes.values().stream()
                        .map(byBatch -> new MeasuredCurve(share(keys(byBatch), known), means(byBatch)))
                        .toArray(MeasuredCurve[]::new);
                k++;
            }
            return level;
        }

        /** Returns the array of {@code known} that equals {@code sizes}. */
        private static int[] share(int[] sizes, List<int[]> known) {
            for (int[] other : known) {
                if (Arrays.equals(other, sizes)) {
                    return other;
                }
            }
            known.add(sizes);
            return sizes;
        }

        private static int[] keys(NavigableMap<Integer, ?> map) {
            return map.keySet().stream().mapToInt(Integer::intValue).toArray();
        }

        private static double[] means(NavigableMap<Integer, double[]> byBatch) {
            return byBatch.values().stream().mapToDouble(sum -> sum[0] / sum[1]).toArray();
        }
    }
}
