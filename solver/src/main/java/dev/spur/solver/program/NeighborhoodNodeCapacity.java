package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.ObjIntConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Constraints of node capacity in a neighborhood. A solution contains the node of every piece. */
final class NeighborhoodNodeCapacity {
    /** Pieces of a kind on nodes of a class. */
    private record Place(int nodeClass, NodeShareKind kind) {}

    private final CpModel program;
    private final CandidateSet candidates;
    private final ClusterIndex hardware;
    private final ResidualCluster room;
    private final Map<Integer, BoolVar> chosen;
    /** Classes on whose open nodes CPU or memory may be short before slots are. */
    private final Set<Integer> bindingHosts = new TreeSet<>();
    /** Open nodes by class. */
    private final Map<Integer, List<NodeCapacity>> sources = new TreeMap<>();

    /** @param nodes the open nodes */
    NeighborhoodNodeCapacity(
            CpModel program,
            CandidateSet candidates,
            ResidualCluster room,
            Map<Integer, BoolVar> chosen,
            Collection<Integer> nodes) {
        this.program = program;
        this.candidates = candidates;
        this.hardware = candidates.hardware();
        this.room = room;
        this.chosen = chosen;
        Map<Integer, List<Integer>> byClass = new TreeMap<>();
        nodes.forEach(v -> byClass.computeIfAbsent(hardware.classOf(v), k -> new ArrayList<>())
                .add(v));
        Map<Integer, List<SingleNodeCapacity.KeptShare>> keepers = keepers();
        byClass.forEach((nodeClass, own) -> sources.put(nodeClass, sources(nodeClass, own, keepers)));
        piecesAreCut();
    }

    /** Returns by node the allocations that could be kept there. */
    private Map<Integer, List<SingleNodeCapacity.KeptShare>> keepers() {
        Map<Integer, List<SingleNodeCapacity.KeptShare>> keepers = new HashMap<>();
        chosen.forEach((c, x) -> {
            Allocation held = candidates.job(candidates.get(c).job()).allocation();
            if (candidates.get(c).kept() && held != null) {
                for (NodeShare piece : held.placement()) {
                    keepers.computeIfAbsent(hardware.indexOf(piece.node()), v -> new ArrayList<>())
                            .add(new SingleNodeCapacity.KeptShare(x, piece.slots(), demand(c)));
                }
            }
        });
        return keepers;
    }

    private List<NodeCapacity> sources(
            int nodeClass, List<Integer> nodes, Map<Integer, List<SingleNodeCapacity.KeptShare>> keepers) {
        List<Integer> fresh = freshOn(nodeClass);
        if (hostsBind(nodes, fresh, keepers)) {
            bindingHosts.add(nodeClass);
        }
        List<NodeShareKind> kinds = fresh.stream()
                .flatMap(c -> pieces(c).keySet().stream())
                .distinct()
                .sorted(NodeShareKind.SMALLEST_FIRST)
                .toList();
        List<NodeCapacity> sources = new ArrayList<>();
        Map<Integer, List<Integer>> alike = new LinkedHashMap<>();
        for (int v : nodes) {
            List<SingleNodeCapacity.KeptShare> own = keepers.getOrDefault(v, List.of());
            if (own.isEmpty() && !bindingHosts.contains(nodeClass)) {
                alike.computeIfAbsent(room.slots(v), slots -> new ArrayList<>()).add(v);
            } else {
                sources.add(alone(v, kinds, own));
            }
        }
        alike.forEach((slots, own) -> sources.addAll(alike(slots, own, kinds)));
        return sources;
    }

    private List<Integer> freshOn(int nodeClass) {
        return chosen.keySet().stream()
                .filter(c -> !candidates.get(c).kept() && candidates.get(c).nodeClass() == nodeClass)
                .toList();
    }

    /** Returns whether some node may exhaust CPU or memory before its slots. */
    private boolean hostsBind(
            List<Integer> nodes, List<Integer> fresh, Map<Integer, List<SingleNodeCapacity.KeptShare>> keepers) {
        List<HostDemand> demands = Stream.concat(
                        fresh.stream().map(this::demand),
                        nodes.stream()
                                .flatMap(v -> keepers.getOrDefault(v, List.of()).stream())
                                .map(SingleNodeCapacity.KeptShare::demand))
                .distinct()
                .toList();
        return nodes.stream().anyMatch(v -> demands.stream().anyMatch(demand -> !room.holds(v, room.slots(v), demand)));
    }

    private SingleNodeCapacity alone(int v, List<NodeShareKind> kinds, List<SingleNodeCapacity.KeptShare> keepers) {
        List<NodeShareKind> held = kinds.stream()
                .filter(kind -> room.holds(v, kind.size(), kind.demand()))
                .toList();
        return new SingleNodeCapacity(program, room, v, held, keepers);
    }

    /**
     * Returns the capacity of nodes with {@code slots} free slots: with common variables, unless these are more than
     * variables for each node.
     */
    private List<? extends NodeCapacity> alike(int slots, List<Integer> nodes, List<NodeShareKind> kinds) {
        List<NodeShareKind> held =
                kinds.stream().filter(kind -> kind.size() <= slots).toList();
        List<int[]> patterns = MaximalPatterns.maximal(
                slots, held.stream().mapToInt(NodeShareKind::size).toArray(), nodes.size() * held.size());
        return patterns.isEmpty()
                ? nodes.stream().map(v -> alone(v, held, List.of())).toList()
                : List.of(new NodeClassCapacity(program, nodes, held, patterns));
    }

    /**
     * For each class and kind: pieces of chosen candidates <= pieces cut. A gang of several pieces requires as many
     * nodes.
     */
    private void piecesAreCut() {
        Map<Place, LinearExprBuilder> needed = new LinkedHashMap<>();
        Map<Place, LinearExpr> nodesWith = new HashMap<>();
        chosen.forEach((c, x) -> {
            if (!candidates.get(c).kept()) {
                pieces(c).forEach((kind, count) -> {
                    Place place = new Place(candidates.get(c).nodeClass(), kind);
                    needed.computeIfAbsent(place, p -> LinearExpr.newBuilder()).addTerm(x, count);
                    if (count > 1) {
                        LinearExpr nodes = nodesWith.computeIfAbsent(place, p -> over(p, NodeCapacity::nodesWith));
                        program.addLessOrEqual(LinearExpr.term(x, count), nodes);
                    }
                });
            }
        });
        needed.forEach((place, pieces) -> program.addLessOrEqual(pieces, over(place, NodeCapacity::pieces)));
    }

    private LinearExpr over(Place place, BiFunction<NodeCapacity, NodeShareKind, LinearExpr> term) {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        for (NodeCapacity source : sources.getOrDefault(place.nodeClass(), List.of())) {
            if (source.kinds().contains(place.kind())) {
                sum.add(term.apply(source, place.kind()));
            }
        }
        return sum.build();
    }

    private Map<NodeShareKind, Integer> pieces(int c) {
        Map<NodeShareKind, Integer> pieces = new LinkedHashMap<>();
        for (int size : candidates.get(c).configuration().shape()) {
            pieces.merge(kind(c, size), 1, Integer::sum);
        }
        return pieces;
    }

    private NodeShareKind kind(int c, int size) {
        boolean hostsBind = bindingHosts.contains(candidates.get(c).nodeClass());
        return new NodeShareKind(size, hostsBind ? demand(c) : HostDemand.NONE);
    }

    private HostDemand demand(int c) {
        return candidates.host(candidates.get(c));
    }

    /** Passes the nodes of the present choice to the solver as a hint. */
    void hint(Map<Integer, List<Integer>> now) {
        Map<Integer, Map<NodeShareKind, Integer>> byNode = new HashMap<>();
        now.forEach((c, on) -> {
            Candidate candidate = candidates.get(c);
            for (int i = 0; !candidate.kept() && i < on.size(); i++) {
                byNode.computeIfAbsent(on.get(i), v -> new HashMap<>())
                        .merge(kind(c, candidate.configuration().shape().get(i)), 1, Integer::sum);
            }
        });
        ObjIntConsumer<IntVar> hint = program::addHint;
        sources.values().forEach(own -> own.forEach(source -> source.hint(byNode, hint)));
    }

    /**
     * Returns the nodes by chosen candidate, one per piece of its shape; empty for a kept one. Returns null if pieces
     * of one gang would share a node.
     */
    @Nullable
    Map<Integer, List<Integer>> placed(List<Integer> found, ToLongFunction<IntVar> value) {
        Map<Place, Map<Integer, Long>> left = new HashMap<>();
        sources.forEach((nodeClass, own) -> own.forEach(source -> source.cut(value)
                .forEach((v, pieces) -> pieces.forEach(
                        (kind, count) -> left.computeIfAbsent(new Place(nodeClass, kind), p -> new LinkedHashMap<>())
                                .put(v, count)))));
        Map<Integer, List<Integer>> placed = new LinkedHashMap<>();
        List<Integer> widestFirst = found.stream()
                .sorted(Comparator.comparingInt(
                        c -> -candidates.get(c).configuration().nodes()))
                .toList();
        for (int c : widestFirst) {
            List<Integer> own = candidates.get(c).kept() ? List.of() : takeNodes(c, left);
            if (own == null) {
                return null;
            }
            placed.put(c, own);
        }
        return placed;
    }

    private @Nullable List<Integer> takeNodes(int c, Map<Place, Map<Integer, Long>> left) {
        List<Integer> own = new ArrayList<>();
        for (int size : candidates.get(c).configuration().shape()) {
            Place place = new Place(candidates.get(c).nodeClass(), kind(c, size));
            Map<Integer, Long> supply = left.getOrDefault(place, Map.of());
            Integer best = supply.entrySet().stream()
                    .filter(entry -> entry.getValue() > 0 && !own.contains(entry.getKey()))
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElse(null);
            if (best == null) {
                return null;
            }
            supply.merge(best, -1L, Long::sum);
            own.add(best);
        }
        return own;
    }
}
