package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.placement.ResidualCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.ToLongFunction;

/** Capacity of one node with its own constraints. Variables {@code y[node,kind]}: pieces of a kind cut from it. */
final class SingleNodeCapacity implements NodeCapacity {
    /**
     * Allocation that could stay on the node. If {@code variable} is 1, it uses {@code slots} slots, and {@code demand}
     * of the host for each.
     */
    record KeptShare(BoolVar variable, int slots, HostDemand demand) {}

    private final CpModel program;
    private final ResidualCluster room;
    private final int node;
    private final Map<NodeShareKind, IntVar> cut = new LinkedHashMap<>();
    private final Map<NodeShareKind, LinearExpr> isCut = new LinkedHashMap<>();

    /**
     * @param room residual cluster without the fixed jobs
     * @param kinds kinds of pieces of which the node holds at least one
     */
    SingleNodeCapacity(
            CpModel program, ResidualCluster room, int node, List<NodeShareKind> kinds, List<KeptShare> keepers) {
        this.program = program;
        this.room = room;
        this.node = node;
        for (NodeShareKind kind : kinds) {
            cut.put(kind, program.newIntVar(0, room.slots(node) / kind.size(), "y[%d,%s]".formatted(node, kind)));
        }
        nodeIsNotOversubscribed(keepers);
    }

    /** Slots, CPUs and memory of pieces cut and of kept allocations <= remaining capacity of the node. */
    private void nodeIsNotOversubscribed(List<KeptShare> keepers) {
        LinearExprBuilder slots = LinearExpr.newBuilder();
        LinearExprBuilder cpus = LinearExpr.newBuilder();
        LinearExprBuilder memory = LinearExpr.newBuilder();
        cut.forEach((kind, pieces) -> {
            slots.addTerm(pieces, kind.size());
            cpus.addTerm(pieces, HostUnits.demand(kind.size() * kind.demand().cpusPerSlot()));
            memory.addTerm(pieces, HostUnits.demand(kind.size() * kind.demand().memoryGiBPerSlot()));
        });
        for (KeptShare keeper : keepers) {
            slots.addTerm(keeper.variable(), keeper.slots());
            cpus.addTerm(
                    keeper.variable(),
                    HostUnits.demand(keeper.slots() * keeper.demand().cpusPerSlot()));
            memory.addTerm(
                    keeper.variable(),
                    HostUnits.demand(keeper.slots() * keeper.demand().memoryGiBPerSlot()));
        }
        program.addLessOrEqual(slots, room.slots(node));
        program.addLessOrEqual(cpus, HostUnits.supply(room.cpus(node)));
        program.addLessOrEqual(memory, HostUnits.supply(room.memory(node)));
    }

    @Override
    public List<NodeShareKind> kinds() {
        return List.copyOf(cut.keySet());
    }

    @Override
    public LinearExpr pieces(NodeShareKind kind) {
        return LinearExpr.sum(new IntVar[] {variable(kind)});
    }

    @Override
    public LinearExpr nodesWith(NodeShareKind kind) {
        return room.slots(node) < 2 * kind.size() ? pieces(kind) : isCut.computeIfAbsent(kind, this::anyPiece);
    }

    private LinearExpr anyPiece(NodeShareKind kind) {
        BoolVar any = program.newBoolVar("u[%d,%s]".formatted(node, kind));
        program.addLessOrEqual(any, variable(kind));
        return LinearExpr.sum(new BoolVar[] {any});
    }

    private IntVar variable(NodeShareKind kind) {
        IntVar variable = cut.get(kind);
        if (variable == null) {
            throw new IllegalArgumentException("node %d holds no %s".formatted(node, kind));
        }
        return variable;
    }

    @Override
    public void hint(Map<Integer, Map<NodeShareKind, Integer>> now, ObjIntConsumer<IntVar> hint) {
        Map<NodeShareKind, Integer> here = now.getOrDefault(node, Map.of());
        cut.forEach((kind, pieces) -> hint.accept(pieces, here.getOrDefault(kind, 0)));
    }

    @Override
    public Map<Integer, Map<NodeShareKind, Long>> cut(ToLongFunction<IntVar> value) {
        Map<NodeShareKind, Long> pieces = new LinkedHashMap<>();
        cut.forEach((kind, variable) -> pieces.put(kind, value.applyAsLong(variable)));
        return Map.of(node, pieces);
    }
}
