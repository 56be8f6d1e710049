package dev.spur.model.performance;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToDoubleBiFunction;

/** Measured throughput of one accelerator type under one strategy: by aggregation slots, slots, nodes and batch size. */
final class Surface {
    private final NavigableMap<Double, NavigableMap<Double, NavigableMap<Integer, NavigableMap<Double, Mean>>>>
            byAggregation = new TreeMap<>();

    void add(ProfilePoint point) {
        byAggregation
                .computeIfAbsent(point.aggregationSlots(), a -> new TreeMap<>())
                .computeIfAbsent((double) point.slots(), k -> new TreeMap<>())
                .computeIfAbsent(point.nodes(), n -> new TreeMap<>())
                .computeIfAbsent((double) point.batchSize(), b -> new Mean())
                .add(point.samplesPerSecond());
    }

    double at(double aggregationSlots, int slots, int nodes, int batchSize) {
        return along(
                byAggregation,
                aggregationSlots,
                (a, bySlots) -> along(
                        bySlots,
                        slots,
                        (k, byNodes) -> along(
                                mostSimilar(byNodes, nodes * k / slots), batchSize, (b, speed) -> speed.value())));
    }

    /**
     * Value at {@code x} of the curve through {@code valueOf} at the keys: the chord between neighbours, level beyond the
     * last key, proportional to {@code x} below the first.
     */
    private static <V> double along(NavigableMap<Double, V> curve, double x, ToDoubleBiFunction<Double, V> valueOf) {
        Map.Entry<Double, V> below = curve.floorEntry(x);
        Map.Entry<Double, V> above = curve.ceilingEntry(x);
        if (below == null) {
            return above == null ? 0 : valueOf.applyAsDouble(above.getKey(), above.getValue()) * x / above.getKey();
        }
        double low = valueOf.applyAsDouble(below.getKey(), below.getValue());
        if (above == null || above.getKey().equals(below.getKey())) {
            return low;
        }
        double part = (x - below.getKey()) / (above.getKey() - below.getKey());
        return low + part * (valueOf.applyAsDouble(above.getKey(), above.getValue()) - low);
    }

    /** The points on the number of nodes nearest to {@code wanted}; of two equally near, the greater number. */
    private static <V> V mostSimilar(NavigableMap<Integer, V> byNodes, double wanted) {
        Map.Entry<Integer, V> best = byNodes.firstEntry();
        for (Map.Entry<Integer, V> entry : byNodes.entrySet()) {
            if (Math.abs(entry.getKey() - wanted) <= Math.abs(best.getKey() - wanted)) {
                best = entry;
            }
        }
        return best.getValue();
    }

    private static final class Mean {
        private double sum;
        private int count;

        void add(double value) {
            sum += value;
            count++;
        }

        double value() {
            return sum / count;
        }
    }
}
