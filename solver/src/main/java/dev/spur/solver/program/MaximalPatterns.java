package dev.spur.solver.program;

import java.util.ArrayList;
import java.util.List;

/**
 * Enumeration of the maximal packing patterns of a node: sets of pieces of given sizes to which no further piece fits.
 */
final class MaximalPatterns {
    private MaximalPatterns() {}

    /**
     * Returns the maximal patterns, each an array with the number of pieces of {@code sizes[i]} at index i.
     *
     * @param free free slots of the node
     * @param sizes ascending, each at least 1
     * @param most number of patterns beyond which the enumeration ends without a result
     * @return the patterns; empty if there are more than {@code most}
     */
    static List<int[]> maximal(int free, int[] sizes, int most) {
        List<int[]> found = new ArrayList<>();
        return extend(free, sizes, sizes.length - 1, new int[sizes.length], found, most) ? found : List.of();
    }

    private static boolean extend(int free, int[] sizes, int i, int[] counts, List<int[]> found, int most) {
        if (i < 0) {
            if (isMaximal(free, sizes)) {
                found.add(counts.clone());
            }
            return found.size() <= most;
        }
        for (int count = free / sizes[i]; count >= 0; count--) {
            counts[i] = count;
            if (!extend(free - count * sizes[i], sizes, i - 1, counts, found, most)) {
                return false;
            }
        }
        counts[i] = 0;
        return true;
    }

    private static boolean isMaximal(int left, int[] sizes) {
        return sizes.length == 0 || left < sizes[0];
    }
}
