package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.HostLimits;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.resource.MaximalPatterns;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import dev.spur.solver.resource.ResourceKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Rows of one class of nodes, one for each of its {@link PieceKinds}, and the subproblems that cut its nodes. */
final class NodeClassPatterns {
    /** Number of patterns of a node above which the host demand of pieces is rounded. */
    private static final int MAX_PATTERNS = 20_000;

    /** The same where each node is cut into shares of devices, which takes longer. */
    private static final int MAX_SHARE_PATTERNS = 200;

    private final ResidualCluster residualCluster;
    private final HostLimits limits;
    private final Map<ResidualNode, NodePackingSubproblem> subproblems = new LinkedHashMap<>();
    /** Shares that free devices of any node are cut into; empty if each node is cut into its shares. */
    private final Optional<SharedKinds> sharedKinds;

    private final List<NodePackingSubproblem> deviceSubproblems = new ArrayList<>();
    /** Kinds of pieces with rounded demand; the row of kind k is {@link #firstRow} + k. */
    private final PieceKinds kinds;

    private final int firstRow;
    private final Map<NodeShareKind, int[]> rowsOf = new HashMap<>();

    /**
     * @param limits host resources of the class that may be short
     * @param usedKinds kinds of pieces that candidates use in this class, without other demands
     */
    NodeClassPatterns(
            NodeClass nodeClass,
            HostLimits limits,
            Set<NodeShareKind> usedKinds,
            ResidualCluster residualCluster,
            ConstraintList constraints) {
        this.residualCluster = residualCluster;
        this.limits = limits;
        this.sharedKinds = SharedKinds.of(limits, usedKinds);
        Set<NodeShareKind> allKinds = new LinkedHashSet<>(usedKinds);
        sharedKinds.ifPresent(shared -> allKinds.add(shared.device()));
        Map<ResidualNode, Integer> equal = new LinkedHashMap<>();
        nodeClass.nodes().forEach(v -> equal.merge(node(v), 1, Integer::sum));
        DemandRounding levels = DemandRounding.exact(allKinds);
        PieceKinds rounded = new PieceKinds(levels.kinds(allKinds), nodeClass);
        Map<ResidualNode, List<int[]>> patterns = patterns(equal.keySet(), rounded);
        while (patterns.isEmpty() && !levels.isCoarsest()) {
            levels = levels.coarser();
            rounded = new PieceKinds(levels.kinds(allKinds), nodeClass);
            patterns = patterns(equal.keySet(), rounded);
        }
        this.kinds = rounded;
        this.firstRow = constraints.size();
        for (NodeShareKind kind : kinds.all()) {
            constraints.add(new ResourceKey.NodePieces(nodeClass.name(), kind), 0);
        }
        for (NodeShareKind kind : allKinds) {
            rowsOf.put(kind, rows(kinds.constraintsOf(levels.round(kind))));
        }
        for (Map.Entry<ResidualNode, Integer> entry : equal.entrySet()) {
            ResidualNode node = entry.getKey();
            List<NodeShareKind> shareKinds = pieces(kinds, node);
            int[][] rowsOfPiece = shareKinds.stream()
                    .map(kind -> rows(kinds.constraintsOf(kind, node.atom())))
                    .toArray(int[][]::new);
            subproblems.put(
                    node,
                    new NodePackingSubproblem(
                            entry.getValue(),
                            node,
                            shareKinds,
                            rowsOfPiece,
                            this::amount,
                            patterns.getOrDefault(node, List.of())));
        }
        sharedKinds.ifPresent(shared -> cutSharedDevices(shared, nodeClass));
    }

    /** Adds the sets of free devices, and of rooms on the devices that pinned jobs share, which are cut into shares. */
    private void cutSharedDevices(SharedKinds shared, NodeClass nodeClass) {
        int devices = 0;
        Map<Integer, Integer> rooms = new TreeMap<>();
        for (int v : nodeClass.nodes()) {
            if (shared.device().access().contains(v)) {
                devices += Math.max(0, residualCluster.slots(v));
                residualCluster.rooms().of(v).forEach(room -> rooms.merge(room, 1, Integer::sum));
            }
        }
        if (devices > 0) {
            addDevices(devices, shared.kindsWithDevice(), shared.fills());
        }
        rooms.forEach((room, count) -> addDevices(count, shared.kinds(), shared.fillsOf(room)));
    }

    private void addDevices(int count, List<NodeShareKind> cutKinds, List<int[]> fills) {
        deviceSubproblems.add(new NodePackingSubproblem(
                count,
                new ResidualNode(0, 0, 0, 0),
                cutKinds,
                cutKinds.stream().map(this::rows).toArray(int[][]::new),
                this::amount,
                fills));
    }

    /** Returns what {@code node} is cut into. */
    private List<NodeShareKind> pieces(PieceKinds allKinds, ResidualNode node) {
        return allKinds.pieces(node).stream()
                .filter(kind -> sharedKinds.isEmpty() || kind.isWhole())
                .toList();
    }

    private int[] rows(int[] numbers) {
        return IntStream.of(numbers).map(k -> firstRow + k).toArray();
    }

    private ResidualNode node(int v) {
        ResidualNode node = ResidualNode.of(residualCluster, v).within(limits);
        return sharedKinds.isEmpty() ? node : node.withoutRooms();
    }

    /** Returns the patterns of each node; empty if one has too many. */
    private Map<ResidualNode, List<int[]>> patterns(Set<ResidualNode> nodes, PieceKinds kinds) {
        Map<ResidualNode, List<int[]>> patterns = new HashMap<>();
        for (ResidualNode node : nodes) {
            List<NodeShareKind> cutKinds = pieces(kinds, node);
            boolean isWhole = cutKinds.stream().allMatch(NodeShareKind::isWhole);
            List<int[]> own = MaximalPatterns.of(node, cutKinds, isWhole ? MAX_PATTERNS : MAX_SHARE_PATTERNS);
            if (own.isEmpty()) {
                return Map.of();
            }
            patterns.put(node, own);
        }
        return patterns;
    }

    /** Returns the rows in which a piece of {@code kind} counts. */
    int[] rows(NodeShareKind kind) {
        int[] rows = rowsOf.get(kind);
        if (rows == null) {
            throw new IllegalStateException("no row for %s".formatted(kind));
        }
        return rows;
    }

    /** Returns the amount for which a piece of {@code size} slots counts in {@code row}. */
    int amount(int row, int size) {
        return kinds.amount(row - firstRow, size);
    }

    /** Returns the number of different accesses of its rows. */
    long accesses() {
        return kinds.all().stream().map(NodeShareKind::access).distinct().count();
    }

    /** Passes each row with the slots of its pieces to {@code row}. */
    void forEachRow(PatternCapacity.CapacityRow row) {
        for (int k = 0; k < kinds.all().size(); k++) {
            NodeShareKind kind = kinds.all().get(k);
            row.accept(firstRow + k, kind.size(), kinds.constraintsOf(kind).length > 1);
        }
    }

    /** Returns the value of remaining capacity of nodes of {@code atom} at {@code prices}. */
    ResidualValue residualValue(int atom, double[] prices) {
        List<NodeShareKind> shareKinds = kinds.pieces();
        double[] values = shareKinds.stream()
                .mapToDouble(kind -> IntStream.of(rows(kinds.constraintsOf(kind, atom)))
                        .mapToDouble(row -> prices[row] * amount(row, kind.size()))
                        .sum())
                .toArray();
        return new ResidualValue(shareKinds, i -> values[i]);
    }

    Collection<NodePackingSubproblem> subproblems() {
        List<NodePackingSubproblem> all = new ArrayList<>(subproblems.values());
        all.addAll(deviceSubproblems);
        return all;
    }

    /** Returns the maximum value of a packing pattern of node {@code v} of the class. */
    double mostOn(int v, double[] prices) {
        NodePackingSubproblem block = subproblems.get(node(v));
        if (block == null) {
            throw new IllegalArgumentException("node %d is not of this class".formatted(v));
        }
        return block.mostPerNode(prices)
                + (sharedKinds.isEmpty()
                        ? 0
                        : residualValue(residualCluster.atom(v), prices)
                                .ofRooms(residualCluster.rooms().of(v)));
    }
}
