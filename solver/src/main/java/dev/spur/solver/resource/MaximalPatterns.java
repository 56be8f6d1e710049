package dev.spur.solver.resource;

import dev.spur.model.job.Elasticity;
import dev.spur.solver.resource.DeviceFills.Fill;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Enumeration of the maximal packing patterns of a node: sets of pieces to which no further piece fits. Where pieces
 * take shares of devices, some of the patterns may not be maximal.
 */
public final class MaximalPatterns {
    /** Number of calls per permitted pattern after which an enumeration with shares ends without a result. */
    private static final int CALLS_PER_PATTERN = 20;

    private final List<NodeShareKind> kinds;
    private final int max;
    private final int[] counts;
    /** Sets of shares that one device holds. */
    private final List<Fill> fills = new ArrayList<>();

    private final Map<IntBuffer, int[]> found = new LinkedHashMap<>();
    private long calls;

    private MaximalPatterns(List<NodeShareKind> kinds, int max) {
        this.kinds = kinds;
        this.max = max;
        this.counts = new int[kinds.size()];
    }

    /**
     * Returns the maximal patterns, each an array with the number of pieces of {@code kinds.get(i)} at index i.
     *
     * @param max number of patterns beyond which the enumeration ends without a result
     * @return the patterns; empty if there are more than {@code max}
     */
    public static List<int[]> of(ResidualNode node, List<NodeShareKind> kinds, int max) {
        MaximalPatterns patterns = new MaximalPatterns(kinds, max);
        if (kinds.stream().anyMatch(kind -> !kind.isWhole())) {
            patterns.fills.addAll(DeviceFills.of(kinds, node::provides, Elasticity.PARTS, max));
            // Devices with the most pieces first: hosts then exclude the others.
            patterns.fills.sort(Comparator.comparingDouble(fill -> -fill.cpus()));
        }
        return patterns.fills.size() <= max && patterns.fillRooms(node, node.rooms())
                ? List.copyOf(patterns.found.values())
                : List.of();
    }

    /**
     * Decides what the shared devices with {@code rooms} hold, and then all else; returns false with too many patterns.
     */
    private boolean fillRooms(ResidualNode node, List<Integer> rooms) {
        if (rooms.isEmpty()) {
            return extend(node.withoutRooms(), 0);
        }
        List<Fill> own = DeviceFills.of(kinds, node::provides, rooms.get(0), max);
        if (own.size() > max) {
            return false;
        }
        List<Integer> others = rooms.subList(1, rooms.size());
        boolean isFilled = false;
        for (Fill fill : own) {
            if (node.hostHolds(fill.cpus(), fill.memoryGiB())) {
                isFilled = true;
                count(fill, 1);
                if (!fillRooms(node.without(0, fill.cpus(), fill.memoryGiB()), others)) {
                    return false;
                }
                count(fill, -1);
            }
        }
        // Where hosts bind, the room may be better left to other pieces of the node.
        return (isFilled && !hostsBind()) || fillRooms(node, others);
    }

    private boolean hostsBind() {
        return kinds.stream()
                .anyMatch(
                        kind -> kind.demand().cpusPerSlot() > 0 || kind.demand().memoryGiBPerSlot() > 0);
    }

    private void count(Fill fill, int sign) {
        for (int k = 0; k < counts.length; k++) {
            counts[k] += sign * fill.counts()[k];
        }
    }

    /**
     * Decides the numbers of pieces of whole devices from kind {@code first} on, and then the shared devices from fill
     * {@code first - kinds} on; returns false with too many patterns. Each call cuts a piece, so that its depth is at
     * most the number of slots.
     */
    private boolean extend(ResidualNode residualNode, int first) {
        if (!fills.isEmpty() && ++calls > (long) CALLS_PER_PATTERN * max) {
            return false;
        }
        for (int i = first; i < counts.length; i++) {
            if (kinds.get(i).isWhole()) {
                for (int count = residualNode.max(kinds.get(i)); count >= 1; count--) {
                    counts[i] += count;
                    if (!extend(residualNode.without(kinds.get(i), count), i + 1)) {
                        return false;
                    }
                    counts[i] -= count;
                }
            }
        }
        for (int f = Math.max(0, first - counts.length); f < fills.size(); f++) {
            Fill fill = fills.get(f);
            if (residualNode.slots() > 0 && residualNode.hostHolds(fill.cpus(), fill.memoryGiB())) {
                count(fill, 1);
                if (!extend(residualNode.without(1, fill.cpus(), fill.memoryGiB()), counts.length + f)) {
                    return false;
                }
                count(fill, -1);
            }
        }
        if (kinds.stream().allMatch(kind -> residualNode.max(kind) == 0)) {
            int[] pattern = counts.clone();
            found.putIfAbsent(IntBuffer.wrap(pattern), pattern);
        }
        return found.size() <= max;
    }
}
