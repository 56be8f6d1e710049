package dev.spur.model.allocation;

import java.util.ArrayList;
import java.util.List;

/** How slots are cut into pieces, one per node. */
public final class Shapes {
    private Shapes() {}

    /** The fewest pieces: as many whole nodes of {@code nodeSlots} as {@code slots} fill, and the rest on one more. */
    public static List<Integer> consolidated(int slots, int nodeSlots) {
        List<Integer> shape = new ArrayList<>();
        for (int left = slots; left > 0; left -= nodeSlots) {
            shape.add(Math.min(left, nodeSlots));
        }
        return List.copyOf(shape);
    }

    /** {@code nodes} pieces that differ by at most one slot; {@code nodes} is from 1 to {@code slots}. */
    public static List<Integer> even(int slots, int nodes) {
        List<Integer> shape = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            shape.add(slots / nodes + (i < slots % nodes ? 1 : 0));
        }
        return List.copyOf(shape);
    }
}
