package dev.spur.policies.elasticflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Free slots over time from now on; constant between breakpoints. */
final class Timeline {
    /** An interval with a constant number of free slots; the last one is unbounded. */
    record Piece(double start, double end, int free) {}

    private final NavigableMap<Double, Integer> free = new TreeMap<>();

    Timeline(double now, int slots) {
        free.put(now, slots);
    }

    /** Reserves the slots of {@code intervals}. */
    void reserve(List<SlotInterval> intervals) {
        intervals.forEach(interval -> shift(interval, -interval.slots()));
    }

    /** Releases the slots of {@code intervals}. */
    void release(List<SlotInterval> intervals) {
        intervals.forEach(interval -> shift(interval, interval.slots()));
    }

    private void shift(SlotInterval interval, int by) {
        split(interval.start());
        split(interval.end());
        free.subMap(interval.start(), true, interval.end(), false).replaceAll((start, slots) -> slots + by);
    }

    private void split(double time) {
        Map.Entry<Double, Integer> before = free.floorEntry(time);
        if (before != null) {
            free.putIfAbsent(time, before.getValue());
        }
    }

    /** Returns the pieces from {@code from} to {@code to}, which may be infinite. */
    List<Piece> pieces(double from, double to) {
        List<Piece> pieces = new ArrayList<>();
        Double first = free.floorKey(from);
        for (Map.Entry<Double, Integer> entry :
                free.tailMap(first == null ? from : first, true).entrySet()) {
            Double next = free.higherKey(entry.getKey());
            double start = Math.max(from, entry.getKey());
            double end = Math.min(to, next == null ? Double.POSITIVE_INFINITY : next);
            if (start < end) {
                pieces.add(new Piece(start, end, entry.getValue()));
            }
        }
        return pieces;
    }

    /** Returns the minimum number of free slots from {@code from} to {@code to}. */
    int min(double from, double to) {
        return pieces(from, to).stream().mapToInt(Piece::free).min().orElse(0);
    }
}
