package dev.spur.solver.program;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Capacity of one node with its own constraints. Variables {@code y[node,kind]}: pieces of a kind cut from it. */
final class SingleNodeCapacity implements NodeCapacity {
    /**
     * Allocation that could stay on the node. If {@code variable} is 1, it uses {@code slots} slots, and {@code demand}
     * of the host for each.
     *
     * @param parts parts that it takes of each device
     * @param device number of its first device on the node
     */
    record KeptShare(BoolVar variable, int slots, HostDemand demand, int parts, int device) {
        private boolean isWhole() {
            return parts == Elasticity.PARTS;
        }
    }

    /**
     * How the devices of a node are cut into shares.
     *
     * @param opensDevices whether shares may take free devices here; otherwise {@link SharedDeviceCuts} provides these
     * @param isExact whether each device that jobs share already has rows of its own
     */
    record Sharing(boolean opensDevices, boolean isExact) {
        /** Number of nodes up to which the devices of each have rows of their own. */
        static final int MOST_NODES = 64;
    }

    private final CpModel model;
    private final ResidualCluster residual;
    private final int node;
    private final List<KeptShare> shares;
    private final Sharing sharing;
    private final Map<NodeShareKind, IntVar> cut = new LinkedHashMap<>();
    private final Map<NodeShareKind, BoolVar> isCut = new LinkedHashMap<>();

    /**
     * @param kinds kinds of pieces of which the node holds at least one
     * @param sharing how devices are cut into shares
     * @param aggregators thousandths of CPUs that aggregators take from it; null if slots leave them theirs
     */
    SingleNodeCapacity(
            CpModel model,
            ResidualCluster residual,
            int node,
            List<NodeShareKind> kinds,
            List<KeptShare> shares,
            Sharing sharing,
            @Nullable IntVar aggregators) {
        this.model = model;
        this.residual = residual;
        this.node = node;
        this.shares = shares;
        this.sharing = sharing;
        for (NodeShareKind kind : kinds) {
            cut.put(kind, model.newIntVar(0, most(kind), "y[" + node + "," + kind + "]"));
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

    /** Returns the number of pieces of {@code kind} that the devices hold, whatever the host. */
    private int most(NodeShareKind kind) {
        return ResidualNode.of(residual, node).max(kind.withDemand(HostDemand.NONE));
    }

    /** Slots of pieces cut and of kept allocations, and shared devices <= residual slots. */
    private void slotsAreNotOversubscribed() {
        LinearExprBuilder used = LinearExpr.newBuilder();
        cut.forEach((kind, pieces) -> {
            if (kind.isWhole()) {
                used.addTerm(pieces, kind.size());
            }
        });
        shares.stream().filter(KeptShare::isWhole).forEach(keeper -> used.addTerm(keeper.variable(), keeper.slots()));
        sharedDevices().forEach(used::add);
        RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(used, residual.slots(node)));
    }

    /**
     * Returns variables for the devices that jobs share, without those of fixed jobs: one for each device that a job
     * could keep, and the number of others.
     */
    private List<IntVar> sharedDevices() {
        Map<NodeShareKind, LinearExprBuilder> held = new LinkedHashMap<>();
        cut.keySet().stream().filter(kind -> !kind.isWhole()).forEach(kind -> held.put(kind, LinearExpr.newBuilder()));
        Map<Integer, List<KeptShare>> keepersByDevice = shares.stream()
                .filter(keeper -> !keeper.isWhole())
                .collect(Collectors.groupingBy(KeptShare::device, TreeMap::new, Collectors.toList()));
        Map<Integer, Integer> rooms = residual.rooms().byDevice(node);
        List<IntVar> opened = new ArrayList<>();
        if (sharing.isExact()) {
            rooms.forEach((device, room) -> {
                LinearExprBuilder parts = parts(device, keepersByDevice.getOrDefault(device, List.of()), held, room);
                RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(parts, room));
            });
            keepersByDevice.forEach((device, keepers) -> {
                if (!rooms.containsKey(device)) {
                    BoolVar own = model.newBoolVar("d[" + node + "," + device + "]");
                    LinearExprBuilder parts = parts(device, keepers, held, Elasticity.PARTS);
                    RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(parts.addTerm(own, -Elasticity.PARTS), 0));
                    opened.add(own);
                }
            });
        } else {
            relax(keepersByDevice, rooms, held, opened);
        }
        if (sharing.opensDevices() && !held.isEmpty()) {
            IntVar others = model.newIntVar(0, Math.max(0, residual.slots(node)), "d[" + node + "]");
            ShareRows.add(
                    model,
                    pieces("new", held, Elasticity.PARTS * Math.max(0, residual.slots(node))),
                    List.of(others),
                    List.of());
            opened.add(others);
        }
        held.forEach((kind, sum) -> RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(variable(kind), sum)));
        return opened;
    }

    /** Returns the parts that kept shares and pieces take of a device, and adds the pieces to {@code held}. */
    private LinearExprBuilder parts(
            int device, List<KeptShare> keepers, Map<NodeShareKind, LinearExprBuilder> held, int room) {
        LinearExprBuilder parts = LinearExpr.newBuilder();
        keepers.forEach(keeper -> parts.addTerm(keeper.variable(), keeper.parts()));
        pieces("" + device, held, room).forEach(share -> parts.addTerm(share.count(), share.parts()));
        return parts;
    }

    /** Returns variables for the pieces of each kind on a part of the devices, and adds them to {@code held}. */
    private List<ShareRows.Shares> pieces(String devices, Map<NodeShareKind, LinearExprBuilder> held, int room) {
        List<ShareRows.Shares> all = new ArrayList<>();
        held.forEach((kind, sum) -> {
            IntVar count = model.newIntVar(0, room / kind.parts(), "y[%d,%s,%s]".formatted(node, devices, kind));
            sum.addTerm(count, 1);
            all.add(new ShareRows.Shares(count, kind.parts()));
        });
        return all;
    }

    /** Adds rows for all shared devices together. */
    private void relax(
            Map<Integer, List<KeptShare>> keepersByDevice,
            Map<Integer, Integer> rooms,
            Map<NodeShareKind, LinearExprBuilder> held,
            List<IntVar> opened) {
        keepersByDevice.forEach((device, keepers) -> {
            if (!rooms.containsKey(device)) {
                BoolVar own = model.newBoolVar("d[" + node + "," + device + "]");
                keepers.forEach(keeper -> RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(keeper.variable(), own)));
                opened.add(own);
            }
        });
        int devices = opened.size() + rooms.size();
        List<ShareRows.Shares> all = pieces("all", held, Elasticity.PARTS * devices);
        keepersByDevice
                .values()
                .forEach(keepers ->
                        keepers.forEach(keeper -> all.add(new ShareRows.Shares(keeper.variable(), keeper.parts()))));
        if (!all.isEmpty()) {
            ShareRows.add(model, all, opened, List.copyOf(rooms.values()));
        }
    }

    private boolean isHostShort() {
        return Stream.concat(
                        cut.keySet().stream().map(NodeShareKind::demand),
                        shares.stream().map(KeptShare::demand))
                .anyMatch(demand -> !residual.hostHolds(node, mostPieces(), demand));
    }

    /** Returns the number of pieces of one slot that the node holds at most. */
    private int mostPieces() {
        int smallest = Stream.concat(
                        cut.keySet().stream().map(NodeShareKind::parts),
                        shares.stream().map(KeptShare::parts))
                .min(Comparator.naturalOrder())
                .orElse(Elasticity.PARTS);
        return ResidualNode.of(residual, node).shares(smallest);
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
