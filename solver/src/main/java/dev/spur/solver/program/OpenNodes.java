package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Piece;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.Hardware;
import dev.spur.solver.placement.Room;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** That single nodes hold what is put on them: each has rows of its own, so that a solution says where each piece goes. */
final class OpenNodes {
    /** Units per CPU or GiB. */
    private static final double HOST_SCALE = 1e6;

    private static final double TOLERANCE = 1e-9;

    /** Pieces of a kind on nodes of a class. */
    private record Place(int nodeClass, PieceKind kind) {}

    private final CpModel program;
    private final CandidateSet candidates;
    private final Hardware hardware;
    private final Room room;
    private final Map<Integer, BoolVar> chosen;
    /** By class and kind the pieces cut from each node. */
    private final Map<Place, Map<Integer, IntVar>> cut = new LinkedHashMap<>();
    /** By class and kind the number of nodes from which a piece is cut, where gangs ask for it. */
    private final Map<Place, LinearExpr> providers = new HashMap<>();

    OpenNodes(CpModel program, CandidateSet candidates, Room room, Map<Integer, BoolVar> chosen) {
        this.program = program;
        this.candidates = candidates;
        this.hardware = candidates.hardware();
        this.room = room;
        this.chosen = chosen;
    }

    /** Adds the rows of {@code nodes}. */
    void add(Collection<Integer> nodes) {
        Map<Integer, Set<PieceKind>> kinds = kinds();
        Map<Integer, Map<Integer, Integer>> keepers = keepers();
        for (int v : nodes) {
            nodeIsNotOversubscribed(
                    v, kinds.getOrDefault(hardware.classOf(v), Set.of()), keepers.getOrDefault(v, Map.of()));
        }
        piecesAreCut();
    }

    private Map<Integer, Set<PieceKind>> kinds() {
        Map<Integer, Set<PieceKind>> kinds = new HashMap<>();
        for (int c : chosen.keySet()) {
            if (!candidates.get(c).kept()) {
                kinds.computeIfAbsent(candidates.get(c).nodeClass(), k -> new LinkedHashSet<>())
                        .addAll(pieces(c).keySet());
            }
        }
        return kinds;
    }

    /** By node the candidates that would be kept there, with their slots. */
    private Map<Integer, Map<Integer, Integer>> keepers() {
        Map<Integer, Map<Integer, Integer>> keepers = new HashMap<>();
        for (int c : chosen.keySet()) {
            Allocation held = candidates.job(candidates.get(c).job()).allocation();
            if (candidates.get(c).kept() && held != null) {
                for (Piece piece : held.placement()) {
                    keepers.computeIfAbsent(hardware.indexOf(piece.node()), v -> new LinkedHashMap<>())
                            .merge(c, piece.slots(), Integer::sum);
                }
            }
        }
        return keepers;
    }

    /** Slots, CPUs and memory of pieces cut from node {@code v} and of what is kept there <= what is left. */
    private void nodeIsNotOversubscribed(int v, Set<PieceKind> kinds, Map<Integer, Integer> keepers) {
        LinearExprBuilder slots = LinearExpr.newBuilder();
        LinearExprBuilder cpus = LinearExpr.newBuilder();
        LinearExprBuilder memory = LinearExpr.newBuilder();
        for (PieceKind kind : kinds) {
            if (room.holds(v, kind.size(), kind.demand())) {
                IntVar pieces = program.newIntVar(0, room.slots(v) / kind.size(), "y[%d,%s]".formatted(v, kind));
                cut.computeIfAbsent(new Place(hardware.classOf(v), kind), p -> new LinkedHashMap<>())
                        .put(v, pieces);
                slots.addTerm(pieces, kind.size());
                cpus.addTerm(pieces, units(kind.size() * kind.demand().cpusPerSlot()));
                memory.addTerm(pieces, units(kind.size() * kind.demand().memoryGiBPerSlot()));
            }
        }
        keepers.forEach((c, size) -> {
            slots.addTerm(variable(c), size);
            cpus.addTerm(variable(c), units(size * demand(c).cpusPerSlot()));
            memory.addTerm(variable(c), units(size * demand(c).memoryGiBPerSlot()));
        });
        program.addLessOrEqual(slots, room.slots(v));
        program.addLessOrEqual(cpus, supply(room.cpus(v)));
        program.addLessOrEqual(memory, supply(room.memory(v)));
    }

    private static long units(double amount) {
        return Math.round(amount * HOST_SCALE);
    }

    private static long supply(double left) {
        return (long) Math.floor((left + TOLERANCE) * HOST_SCALE);
    }

    /** For each class and kind: pieces of what is chosen <= pieces cut; a gang of several needs as many nodes. */
    private void piecesAreCut() {
        Map<Place, LinearExprBuilder> needed = new LinkedHashMap<>();
        for (int c : chosen.keySet()) {
            if (!candidates.get(c).kept()) {
                pieces(c).forEach((kind, count) -> {
                    Place place = new Place(candidates.get(c).nodeClass(), kind);
                    needed.computeIfAbsent(place, p -> LinearExpr.newBuilder()).addTerm(variable(c), count);
                    if (count > 1) {
                        gangHasNodesOfItsOwn(c, place, count);
                    }
                });
            }
        }
        needed.forEach((place, pieces) -> program.addLessOrEqual(
                pieces,
                LinearExpr.sum(cut.getOrDefault(place, Map.of()).values().toArray(IntVar[]::new))));
    }

    private void gangHasNodesOfItsOwn(int c, Place place, int count) {
        program.addLessOrEqual(
                LinearExpr.term(variable(c), count), providers.computeIfAbsent(place, this::nodesThatGiveAPiece));
    }

    private LinearExpr nodesThatGiveAPiece(Place place) {
        LinearExprBuilder nodes = LinearExpr.newBuilder();
        cut.getOrDefault(place, Map.of()).forEach((v, pieces) -> {
            if (room.slots(v) < 2 * place.kind().size()) {
                nodes.add(pieces);
            } else {
                BoolVar any = program.newBoolVar("u[%d,%s]".formatted(v, place.kind()));
                program.addLessOrEqual(any, pieces);
                nodes.add(any);
            }
        });
        return nodes.build();
    }

    private Map<PieceKind, Integer> pieces(int c) {
        Map<PieceKind, Integer> pieces = new LinkedHashMap<>();
        for (int size : candidates.get(c).configuration().shape()) {
            pieces.merge(new PieceKind(size, demand(c)), 1, Integer::sum);
        }
        return pieces;
    }

    private BoolVar variable(int c) {
        BoolVar variable = chosen.get(c);
        if (variable == null) {
            throw new IllegalArgumentException("candidate %d is not open".formatted(c));
        }
        return variable;
    }

    private HostDemand demand(int c) {
        return candidates.job(candidates.get(c).job()).spec().host();
    }

    /** Offers to the solver the nodes of what is now chosen. */
    void hint(Map<Integer, List<Integer>> now) {
        Map<Place, Map<Integer, Integer>> counts = new HashMap<>();
        now.forEach((c, on) -> {
            Candidate candidate = candidates.get(c);
            for (int i = 0; !candidate.kept() && i < on.size(); i++) {
                PieceKind kind = new PieceKind(candidate.configuration().shape().get(i), demand(c));
                counts.computeIfAbsent(new Place(candidate.nodeClass(), kind), p -> new HashMap<>())
                        .merge(on.get(i), 1, Integer::sum);
            }
        });
        cut.forEach((place, on) -> on.forEach((v, pieces) ->
                program.addHint(pieces, counts.getOrDefault(place, Map.of()).getOrDefault(v, 0))));
    }

    /**
     * The nodes of what was chosen: by candidate one per piece of its shape, none for a kept one. Null if gangs would have to
     * meet on a node.
     */
    @Nullable
    Map<Integer, List<Integer>> placed(List<Integer> found, ToLongFunction<IntVar> value) {
        Map<Place, Map<Integer, Long>> left = new HashMap<>();
        cut.forEach((place, on) -> {
            Map<Integer, Long> supply = left.computeIfAbsent(place, p -> new LinkedHashMap<>());
            on.forEach((v, pieces) -> supply.put(v, value.applyAsLong(pieces)));
        });
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
            Place place = new Place(candidates.get(c).nodeClass(), new PieceKind(size, demand(c)));
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
