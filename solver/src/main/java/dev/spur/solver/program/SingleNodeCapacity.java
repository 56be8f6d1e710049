package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.resource.NodeShareKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Capacity of one node with its own constraints. Variables {@code y[node,kind]}: pieces of a kind cut from it. */
final class SingleNodeCapacity implements NodeCapacity {
    /**
     * Allocation that could stay on the node. If {@code variable} is 1, it uses {@code slots} slots, and {@code demand}
     * of the host for each.
     */
    record KeptShare(BoolVar variable, int slots, HostDemand demand) {}

    private final CpModel model;
    private final ResidualCluster residual;
    private final int node;
    private final List<KeptShare> shares;
    private final Map<NodeShareKind, IntVar> cut = new LinkedHashMap<>();
    private final Map<NodeShareKind, BoolVar> isCut = new LinkedHashMap<>();

    /**
     * @param kinds kinds of pieces of which the node holds at least one
     * @param aggregators thousandths of CPUs that aggregators take from it; null if slots leave them theirs
     */
    SingleNodeCapacity(
            CpModel model,
            ResidualCluster residual,
            int node,
            List<NodeShareKind> kinds,
            List<KeptShare> shares,
            @Nullable IntVar aggregators) {
        this.model = model;
        this.residual = residual;
        this.node = node;
        this.shares = shares;
        for (NodeShareKind kind : kinds) {
            cut.put(kind, model.newIntVar(0, residual.slots(node) / kind.size(), "y[" + node + "," + kind + "]"));
        }
        slotsAreNotOversubscribed();
        if (aggregators != null || isHostShort()) {
            LinearExprBuilder cpus = LinearExpr.newBuilder();
            if (aggregators != null) {
                cpus.addTerm(aggregators, HostUnits.cpus(1));
            }
            hostIsNotOversubscribed(cpus, HostDemand::cpusPerSlot, residual.cpus(node));
            hostIsNotOversubscribed(LinearExpr.newBuilder(), HostDemand::memoryGiBPerSlot, residual.memory(node));
        }
    }

    /** Slots of pieces cut and of kept allocations <= residual slots. */
    private void slotsAreNotOversubscribed() {
        LinearExprBuilder used = LinearExpr.newBuilder();
        cut.forEach((kind, pieces) -> used.addTerm(pieces, kind.size()));
        shares.forEach(keeper -> used.addTerm(keeper.variable(), keeper.slots()));
        RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(used, residual.slots(node)));
    }

    private boolean isHostShort() {
        return Stream.concat(
                        cut.keySet().stream().map(NodeShareKind::demand),
                        shares.stream().map(KeptShare::demand))
                .anyMatch(demand -> !residual.holds(node, residual.slots(node), demand));
    }

    /**
     * Host demand of pieces cut, of kept allocations and of aggregators <= residual capacity. Demand is rounded down
     * and capacity up, so that the row never excludes a feasible choice.
     */
    private void hostIsNotOversubscribed(LinearExprBuilder used, ToDoubleFunction<HostDemand> perSlot, double left) {
        cut.forEach((kind, pieces) ->
                used.addTerm(pieces, HostUnits.demand(kind.size() * perSlot.applyAsDouble(kind.demand()))));
        shares.forEach(keeper -> used.addTerm(
                keeper.variable(), HostUnits.demand(keeper.slots() * perSlot.applyAsDouble(keeper.demand()))));
        RoundConstraint.HOSTS.nameRow(model.addLessOrEqual(used, HostUnits.supply(left)));
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
        return residual.slots(node) < 2 * kind.size()
                ? pieces(kind)
                : LinearExpr.sum(new BoolVar[] {isCut.computeIfAbsent(kind, this::anyPiece)});
    }

    private BoolVar anyPiece(NodeShareKind kind) {
        BoolVar any = model.newBoolVar("v[" + node + "," + kind + "]");
        RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(any, variable(kind)));
        return any;
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
        Map<NodeShareKind, Integer> onNode = now.getOrDefault(node, Map.of());
        cut.forEach((kind, pieces) -> hint.accept(pieces, onNode.getOrDefault(kind, 0)));
        isCut.forEach((kind, any) -> hint.accept(any, onNode.containsKey(kind) ? 1 : 0));
    }

    @Override
    public Map<Integer, Map<NodeShareKind, Long>> cut(ToLongFunction<IntVar> value) {
        Map<NodeShareKind, Long> pieces = new LinkedHashMap<>();
        cut.forEach((kind, variable) -> pieces.put(kind, value.applyAsLong(variable)));
        return Map.of(node, pieces);
    }
}
