package dev.spur.solver.candidate;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Slots that a job may take on the nodes of one access.
 *
 * <p>The first shape of a number of slots is that on the minimum number of nodes. Nodes that differ in size add that
 * without the nodes above each size. They also add those with the smallest number of free slots, on at most one node
 * more. Where none of these fits the slots that pinned jobs or all jobs leave, there is also one that does. It is on
 * any number of nodes for the smallest request, and otherwise on at most one node more.
 */
final class NodeSupply {
    private final NodeSizes idleSizes;
    private final NodeSizes movableSizes;
    private final NodeSizes freeSizes;
    private final Map<Integer, List<List<Integer>>> ofIdle = new ConcurrentHashMap<>();
    private final Map<Request, List<List<Integer>>> ofFree = new ConcurrentHashMap<>();
    private final Map<Long, List<Integer>> even = new ConcurrentHashMap<>();

    /** Number of slots, and whether a job accepts no smaller one. */
    private record Request(int slots, boolean isSmallest) {}

    /**
     * @param idleSizes slots of the idle nodes
     * @param movableSizes slots that pinned jobs leave
     * @param freeSizes slots that all jobs leave
     */
    NodeSupply(NodeSizes idleSizes, NodeSizes movableSizes, NodeSizes freeSizes) {
        this.idleSizes = idleSizes;
        this.movableSizes = movableSizes;
        this.freeSizes = freeSizes;
    }

    /** Returns the slots of the idle nodes. */
    NodeSizes idleSizes() {
        return idleSizes;
    }

    /** Returns the slots that all jobs leave. */
    NodeSizes freeSizes() {
        return freeSizes;
    }

    /**
     * Returns the shapes of {@code slots} slots, that on the minimum number of nodes first; empty if the nodes do not
     * hold them.
     *
     * @param ownFreeSizes slots that are free for the job: those that it holds itself count as well
     * @param isSmallest whether the job accepts no smaller number of slots
     */
    @SuppressWarnings("ReferenceEquality") // a job without an allocation has the same object
    List<List<Integer>> shapes(int slots, NodeSizes ownFreeSizes, boolean isSmallest) {
        Request request = new Request(slots, isSmallest);
        if (ownFreeSizes == freeSizes) {
            List<List<Integer>> same = ofFree.get(request);
            return same != null ? same : ofFree.computeIfAbsent(request, k -> shapesWith(k, freeSizes));
        }
        return shapesWith(request, ownFreeSizes);
    }

    private List<List<Integer>> shapesWith(Request request, NodeSizes ownFreeSizes) {
        List<List<Integer>> known = ofIdle.get(request.slots());
        List<List<Integer>> shapes =
                known != null ? known : ofIdle.computeIfAbsent(request.slots(), this::shapesOfIdle);
        return withOneThatFits(shapes, request, ownFreeSizes);
    }

    /** Returns {@link NodeSizes#even} of the idle nodes. */
    List<Integer> even(int slots, int nodes) {
        long key = (long) slots << Integer.SIZE | nodes;
        List<Integer> known = even.get(key);
        return known != null ? known : even.computeIfAbsent(key, k -> idleSizes.even(slots, nodes));
    }

    private List<List<Integer>> shapesOfIdle(int slots) {
        List<Integer> consolidated = idleSizes.fill(slots, idleSizes.largest());
        if (consolidated.isEmpty()) {
            return List.of();
        }
        Set<List<Integer>> shapes = new LinkedHashSet<>(List.of(consolidated));
        int[] sizes = idleSizes.descending();
        for (int i = 1; i < sizes.length && sizes[i - 1] > 1; i++) {
            shapes.add(idleSizes.fill(slots, sizes[i]));
        }
        if (sizes.length > 1) {
            shapes.add(idleSizes.tightest(slots, consolidated.size()));
            shapes.add(idleSizes.tightest(slots, consolidated.size() + 1));
        }
        shapes.remove(List.<Integer>of());
        return withOneThatFits(List.copyOf(shapes), new Request(slots, false), movableSizes);
    }

    /**
     * Returns {@code shapes} and, if none on as few nodes fits {@code sizes}, the shape on the minimum number of these.
     */
    private static List<List<Integer>> withOneThatFits(List<List<Integer>> shapes, Request request, NodeSizes sizes) {
        if (shapes.isEmpty() || sizes.hold(shapes.get(0)) || request.slots() > sizes.slots()) {
            return shapes;
        }
        List<Integer> other = sizes.fill(request.slots(), sizes.largest());
        boolean isKnown = shapes.stream().anyMatch(shape -> shape.size() <= other.size() && sizes.hold(shape));
        boolean isScattered =
                !request.isSmallest() && other.size() > shapes.get(0).size() + 1;
        if (other.isEmpty() || isScattered || isKnown) {
            return shapes;
        }
        List<List<Integer>> more = new ArrayList<>(shapes);
        more.add(other);
        return List.copyOf(more);
    }
}
