package dev.spur.solver.resource;

import java.util.ArrayList;
import java.util.List;

/** Enumeration of the maximal packing patterns of a node: sets of pieces to which no further piece fits. */
public final class MaximalPatterns {
    private final List<NodeShareKind> kinds;
    private final int max;
    private final int[] counts;
    private final List<int[]> found = new ArrayList<>();

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
        return patterns.extend(node, 0) ? patterns.found : List.of();
    }

    /**
     * Decides the numbers of pieces of kind {@code first} and the later ones; returns false with too many patterns.
     * Each call cuts a piece, so that its depth is at most the number of slots.
     */
    private boolean extend(ResidualNode residualNode, int first) {
        for (int i = first; i < counts.length; i++) {
            for (int count = residualNode.max(kinds.get(i)); count >= 1; count--) {
                counts[i] = count;
                if (!extend(residualNode.without(kinds.get(i), count), i + 1)) {
                    return false;
                }
            }
            counts[i] = 0;
        }
        if (kinds.stream().allMatch(kind -> residualNode.max(kind) == 0)) {
            found.add(counts.clone());
        }
        return found.size() <= max;
    }
}
