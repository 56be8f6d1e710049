package dev.spur.solver.program;

import com.google.ortools.sat.IntVar;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.resource.NodeShareKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Assignment of the pieces of chosen candidates to the nodes that provide pieces in a solution. */
final class PieceAssignment {
    /** Kind of a piece of a candidate. */
    @FunctionalInterface
    interface KindOf {
        /** Returns the kind of a piece of {@code size} slots of candidate {@code c}. */
        NodeShareKind of(int c, int size);
    }

    /** Number of the first shared device, below those that a placement numbers itself. */
    private static final int FIRST_DEVICE = -1_000_000;

    private record Place(int nodeClass, NodeShareKind kind) {}

    private final CandidateSet candidates;
    private final KindOf kind;
    private final Map<Integer, SharedDeviceCuts> sharedDevices;
    /** Pieces that are not assigned yet, by node. */
    private final Map<Place, Map<Integer, Long>> left = new HashMap<>();

    private final Map<Integer, List<Integer>> assigned = new LinkedHashMap<>();
    /** Numbers of shared devices below 0, by candidate: equal numbers on a node stand for one device. */
    private final Map<Integer, Integer> devices = new HashMap<>();

    /** @param sharedDevices devices that are cut into shares, by class */
    PieceAssignment(CandidateSet candidates, KindOf kind, Map<Integer, SharedDeviceCuts> sharedDevices) {
        this.candidates = candidates;
        this.kind = kind;
        this.sharedDevices = sharedDevices;
    }

    /** Adds the pieces that node {@code v} of a class provides. */
    void offer(int nodeClass, int v, Map<NodeShareKind, Long> pieces) {
        pieces.forEach((kind, count) -> left.computeIfAbsent(new Place(nodeClass, kind), p -> new LinkedHashMap<>())
                .put(v, count));
    }

    /**
     * Returns the nodes by chosen candidate, one for each piece of its shape; empty for a kept one. Shares of one
     * device follow each other. Returns null if pieces of one gang would share a node, or if the devices do not hold
     * the shares.
     *
     * @param value value of a variable in the solution
     */
    @Nullable
    Map<Integer, List<Integer>> of(List<Integer> chosen, ToLongFunction<IntVar> value) {
        List<Integer> widestFirst = chosen.stream()
                .sorted(Comparator.comparingInt(
                        c -> -candidates.get(c).configuration().nodes()))
                .toList();
        Map<Integer, Map<NodeShareKind, Deque<Integer>>> sharing = new TreeMap<>();
        for (int c : widestFirst) {
            Candidate candidate = candidates.get(c);
            List<Integer> own = candidate.isRetained() ? List.of() : takeNodes(c);
            if (own != null) {
                assigned.put(c, own);
            } else if (sharedDevices.containsKey(candidate.nodeClass())) {
                sharing.computeIfAbsent(candidate.nodeClass(), k -> new LinkedHashMap<>())
                        .computeIfAbsent(kind.of(c, 1), each -> new ArrayDeque<>())
                        .add(c);
            } else {
                return null;
            }
        }
        return sharing.entrySet().stream().allMatch(entry -> takeDevices(entry.getKey(), entry.getValue(), value))
                ? assigned
                : null;
    }

    /** Returns the nodes and devices by job on the classes whose devices are cut into shares; none where they fail. */
    PartialPlacement ofSharedClasses(List<Integer> chosen, ToLongFunction<IntVar> value) {
        Map<Integer, List<Integer>> nodes = new HashMap<>();
        if (of(chosen, value) != null) {
            assigned.forEach((c, on) -> {
                if (!on.isEmpty() && sharedDevices.containsKey(candidates.get(c).nodeClass())) {
                    nodes.put(candidates.get(c).job(), on);
                }
            });
        }
        Map<Integer, Integer> ofJobs = new HashMap<>();
        devices.forEach((c, number) -> ofJobs.put(candidates.get(c).job(), number));
        return new PartialPlacement(new int[0], nodes, ofJobs);
    }

    private @Nullable List<Integer> takeNodes(int c) {
        List<Integer> own = new ArrayList<>();
        for (int size : candidates.get(c).configuration().shape()) {
            Integer node = take(new Place(candidates.get(c).nodeClass(), kind.of(c, size)), own);
            if (node == null) {
                return null;
            }
            own.add(node);
        }
        return own;
    }

    /** Puts the chosen shares of a class on devices that are cut; returns false if these do not hold them. */
    private boolean takeDevices(
            int nodeClass, Map<NodeShareKind, Deque<Integer>> chosen, ToLongFunction<IntVar> value) {
        SharedDeviceCuts cuts = Objects.requireNonNull(sharedDevices.get(nodeClass));
        List<List<Integer>> cut = cuts.cut(value, chosen);
        int number = FIRST_DEVICE;
        for (List<Integer> held : cut == null ? List.<List<Integer>>of() : cut) {
            int device = number--;
            Integer node = take(new Place(nodeClass, cuts.device()), List.of());
            if (node == null) {
                return false;
            }
            held.forEach(c -> {
                assigned.put(c, List.of(node));
                devices.put(c, device);
            });
        }
        return cut != null && chosen.values().stream().allMatch(Deque::isEmpty);
    }

    /** Takes a piece from the node with the most of them, none of {@code taken}; returns null if no node has one. */
    private @Nullable Integer take(Place place, List<Integer> taken) {
        Map<Integer, Long> supply = left.getOrDefault(place, Map.of());
        Integer node = supply.entrySet().stream()
                .filter(entry -> entry.getValue() > 0 && !taken.contains(entry.getKey()))
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
        if (node != null) {
            supply.merge(node, -1L, Long::sum);
        }
        return node;
    }
}
