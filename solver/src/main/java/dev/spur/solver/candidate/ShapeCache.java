package dev.spur.solver.candidate;

import dev.spur.model.allocation.Shapes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Shapes that the candidates of all jobs share, so that equal ones are stored once. */
final class ShapeCache {
    private final Map<Long, List<Integer>> consolidated = new ConcurrentHashMap<>();
    private final Map<Long, List<Integer>> even = new ConcurrentHashMap<>();

    /** Returns {@link Shapes#consolidate}. */
    List<Integer> consolidate(int slots, int nodeSlots) {
        List<Integer> known = consolidated.get(key(slots, nodeSlots));
        return known != null
                ? known
                : consolidated.computeIfAbsent(key(slots, nodeSlots), key -> Shapes.consolidate(slots, nodeSlots));
    }

    /** Returns {@link Shapes#even}. */
    List<Integer> even(int slots, int nodes) {
        List<Integer> known = even.get(key(slots, nodes));
        return known != null ? known : even.computeIfAbsent(key(slots, nodes), key -> Shapes.even(slots, nodes));
    }

    private static long key(int slots, int other) {
        return (long) slots << Integer.SIZE | other;
    }
}
