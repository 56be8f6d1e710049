package dev.spur.model.allocation;

import java.util.ArrayList;
import java.util.List;

/** Divisions of a number of slots over nodes. */
public final class Shapes {
    private Shapes() {}

    /**
     * Returns the shape with the minimum number of nodes: as many full nodes of {@code nodeSlots} as {@code slots}
     * fill, and one more node for the remainder.
     */
    public static List<Integer> consolidate(int slots, int nodeSlots) {
        List<Integer> shape = new ArrayList<>();
        for (int left = slots; left > 0; left -= nodeSlots) {
            shape.add(Math.min(left, nodeSlots));
        }
        return List.copyOf(shape);
    }

    /**
     * Returns the shape of {@code nodes} nodes whose slots differ by at most one; {@code nodes} is from 1 to
     * {@code slots}.
     */
    public static List<Integer> even(int slots, int nodes) {
        List<Integer> shape = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            shape.add(slots / nodes + (i < slots % nodes ? 1 : 0));
        }
        return List.copyOf(shape);
    }
}
