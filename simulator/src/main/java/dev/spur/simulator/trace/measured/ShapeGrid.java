package dev.spur.simulator.trace.measured;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Curves by nodes and slots, with interpolation between measured shapes. */
final class ShapeGrid {
    /** Curve with its weight; the weights of a mixture sum to 1. */
    record Share(TimingCurve curve, double weight) {}

    private final NavigableMap<Integer, NavigableMap<Integer, TimingCurve>> curves = new TreeMap<>();

    void put(int nodes, int slots, TimingCurve curve) {
        curves.computeIfAbsent(nodes, n -> new TreeMap<>()).put(slots, curve);
    }

    /** Returns the measured pairs of nodes and slots. */
    Map<Integer, Set<Integer>> shapes() {
        Map<Integer, Set<Integer>> shapes = new TreeMap<>();
        curves.forEach((nodes, bySlots) -> shapes.put(nodes, bySlots.navigableKeySet()));
        return shapes;
    }

    /**
     * Returns the measured curves nearest to {@code slots} on {@code nodes}. Between two numbers of nodes these are the
     * curves with the same slots per node; between two numbers of slots, both neighbors. Outside the measured range the
     * outermost ones apply.
     */
    List<Share> mixture(int nodes, int slots) {
        int desired = Math.min(curves.lastKey(), Math.max(curves.firstKey(), nodes));
        double perNode = desired == nodes ? (double) slots / nodes : 0;
        List<Share> shares = new ArrayList<>();
        addBetween(curves, desired, 1, (neighbour, bySlots, weight) -> {
            double scaled = perNode == 0 ? slots : perNode * neighbour;
            addBetween(bySlots, scaled, weight, (k, curve, part) -> shares.add(new Share(curve, part)));
        });
        return List.copyOf(shares);
    }

    private interface Sink<V> {
        void add(int key, V value, double weight);
    }

    /**
     * Passes the entries around {@code desired} to {@code sink}. Their weights sum to {@code weight}; the nearer entry
     * has more.
     */
    private static <V> void addBetween(NavigableMap<Integer, V> map, double desired, double weight, Sink<V> sink) {
        Map.Entry<Integer, V> below = map.floorEntry((int) Math.floor(desired));
        Map.Entry<Integer, V> above = map.ceilingEntry((int) Math.ceil(desired));
        Map.Entry<Integer, V> only = below == null ? above : above == null ? below : null;
        if (only != null) {
            sink.add(only.getKey(), only.getValue(), weight);
        } else if (below != null && above != null) {
            double width = above.getKey() - below.getKey();
            double part = width == 0 ? 0 : (desired - below.getKey()) / width;
            if (part < 1) {
                sink.add(below.getKey(), below.getValue(), weight * (1 - part));
            }
            if (part > 0) {
                sink.add(above.getKey(), above.getValue(), weight * part);
            }
        }
    }
}
