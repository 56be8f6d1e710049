package dev.spur.solver.candidate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Numbers of nodes by the slots that a job may take on each, and the shapes that they hold. A shape is a list of pieces
 * in descending order, each for a node of its own. An empty list means that no such shape exists.
 */
final class NodeSizes {
    /** Number of nodes beyond which {@link #tightest} searches no shape. */
    private static final int MAX_SEARCHED_NODES = 6;

    /** By number of slots: nodes with at least that number. */
    private final int[] atLeast;

    private final long slots;

    private NodeSizes(int[] atLeast) {
        this.atLeast = atLeast;
        this.slots =
                IntStream.range(1, atLeast.length).mapToLong(s -> atLeast[s]).sum();
    }

    /** Returns the numbers for nodes with {@code sizes} slots each; those without slots are ignored. */
    static NodeSizes of(int[] sizes) {
        int[] atLeast = new int[Arrays.stream(sizes).max().orElse(0) + 1];
        for (int size : sizes) {
            atLeast[size]++;
        }
        for (int s = atLeast.length - 2; s > 0; s--) {
            atLeast[s] += atLeast[s + 1];
        }
        return new NodeSizes(atLeast);
    }

    /** Returns the numbers when the nodes with {@code before} slots have {@code after} instead, pair by pair. */
    NodeSizes with(int[] before, int[] after) {
        int[] changed = Arrays.copyOf(
                atLeast, Math.max(atLeast.length, Arrays.stream(after).max().orElse(0) + 1));
        for (int i = 0; i < before.length; i++) {
            for (int s = 1; s <= Math.max(before[i], after[i]); s++) {
                changed[s] += (s <= after[i] ? 1 : 0) - (s <= before[i] ? 1 : 0);
            }
        }
        return new NodeSizes(changed);
    }

    /** Returns the slots of all nodes. */
    long slots() {
        return slots;
    }

    /** Returns the slots of the largest node; 0 if there is none. */
    int largest() {
        int size = atLeast.length - 1;
        while (size > 0 && atLeast[size] == 0) {
            size--;
        }
        return size;
    }

    /** Returns the sizes of the largest nodes in descending order, at most {@code max} of them. */
    List<Integer> largest(int max) {
        List<Integer> largest = new ArrayList<>();
        for (int size : descending()) {
            largest.addAll(Collections.nCopies(Math.min(count(size), max - largest.size()), size));
        }
        return List.copyOf(largest);
    }

    /** Returns the different sizes in descending order. */
    int[] descending() {
        int largest = largest();
        return IntStream.range(0, largest)
                .map(i -> largest - i)
                .filter(size -> count(size) > 0)
                .toArray();
    }

    /** Returns the number of nodes with exactly {@code size} slots. */
    int count(int size) {
        return size >= atLeast.length ? 0 : atLeast[size] - (size + 1 < atLeast.length ? atLeast[size + 1] : 0);
    }

    /** Returns whether the nodes hold {@code shape}. */
    boolean hold(List<Integer> shape) {
        for (int i = 0; i < shape.size(); i++) {
            int piece = shape.get(i);
            if (piece >= atLeast.length || atLeast[piece] <= i) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the shape of {@code total} slots that fills the largest nodes of at most {@code limit} slots, one after
     * the other. No shape on these nodes has fewer pieces.
     */
    List<Integer> fill(int total, int limit) {
        List<Integer> shape = new ArrayList<>();
        int left = total;
        for (int size = Math.min(limit, atLeast.length - 1); size > 0 && left > 0; size--) {
            int count = count(size);
            int full = Math.min(count, left / size);
            shape.addAll(Collections.nCopies(full, size));
            left -= full * size;
            if (left > 0 && full < count) {
                shape.add(left);
                left = 0;
            }
        }
        return left == 0 ? List.copyOf(shape) : List.of();
    }

    /**
     * Returns the shape of {@code total} slots on the largest {@code nodes} nodes whose pieces differ least: by at most
     * one, except where a node is smaller.
     */
    List<Integer> even(int total, int nodes) {
        List<Integer> shape = new ArrayList<>();
        int left = total;
        for (int i = nodes; i > 0; i--) {
            int piece = Math.min(nthLargest(i), left / i);
            if (piece == 0) {
                return List.of();
            }
            shape.add(piece);
            left -= piece;
        }
        Collections.reverse(shape);
        return left == 0 ? List.copyOf(shape) : List.of();
    }

    private int nthLargest(int n) {
        int size = atLeast.length - 1;
        while (size > 0 && atLeast[size] < n) {
            size--;
        }
        return size;
    }

    /**
     * Returns the shape of {@code total} slots on {@code nodes} nodes, all needed, that leaves the minimum number of
     * slots of these nodes free. Of many nodes, none is searched.
     */
    List<Integer> tightest(int total, int nodes) {
        int[] best = nodes > MAX_SEARCHED_NODES ? new int[0] : new TightestSearch(total, nodes).best();
        List<Integer> shape = new ArrayList<>();
        int left = total;
        for (int size : best) {
            shape.add(Math.min(size, left));
            left -= size;
        }
        return List.copyOf(shape);
    }

    /** Search over the multisets of nodes, in descending order of size. */
    private final class TightestSearch {
        private final int total;
        private final int[] sizes = descending();
        private final int[] chosen;
        private int[] best = {};
        private int least = Integer.MAX_VALUE;

        TightestSearch(int total, int nodes) {
            this.total = total;
            this.chosen = new int[nodes];
        }

        /** Returns the sizes of the nodes; none if there is no such shape. */
        int[] best() {
            extend(0, 0, 0, 0);
            return best;
        }

        /** Chooses node {@code i} among the sizes from {@code at}; {@code used} of the size are chosen already. */
        private void extend(int i, int at, int used, int sum) {
            if (i == chosen.length) {
                if (sum >= total && sum < least) {
                    least = sum;
                    best = chosen.clone();
                }
                return;
            }
            for (int next = at; next < sizes.length && sum < total; next++) {
                int taken = next == at ? used : 0;
                if (taken < count(sizes[next]) && sum + (long) sizes[next] * (chosen.length - i) >= total) {
                    chosen[i] = sizes[next];
                    extend(i + 1, next, taken + 1, sum + sizes[next]);
                }
            }
        }
    }
}
