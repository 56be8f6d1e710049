package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.HostLimits;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.resource.MaximalPatterns;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import dev.spur.solver.resource.ResourceKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Rows of one class of nodes, one for each of its {@link PieceKinds}, and the subproblems that cut its nodes. */
final class NodeClassPatterns {
    /** Number of patterns of a node above which the host demand of pieces is rounded. */
    private static final int MAX_PATTERNS = 20_000;

    private final ResidualCluster residualCluster;
    private final HostLimits limits;
    private final Map<ResidualNode, NodePackingSubproblem> subproblems = new LinkedHashMap<>();
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
        Map<ResidualNode, Integer> equal = new LinkedHashMap<>();
        nodeClass.nodes().forEach(v -> equal.merge(node(v), 1, Integer::sum));
        DemandRounding levels = DemandRounding.exact(usedKinds);
        PieceKinds rounded = new PieceKinds(levels.kinds(usedKinds), nodeClass);
        Map<ResidualNode, List<int[]>> patterns = patterns(equal.keySet(), rounded);
        while (patterns.isEmpty() && !levels.isCoarsest()) {
            levels = levels.coarser();
            rounded = new PieceKinds(levels.kinds(usedKinds), nodeClass);
            patterns = patterns(equal.keySet(), rounded);
        }
        this.kinds = rounded;
        this.firstRow = constraints.size();
        for (NodeShareKind kind : kinds.all()) {
            constraints.add(new ResourceKey.NodePieces(nodeClass.name(), kind), 0);
        }
        for (NodeShareKind kind : usedKinds) {
            rowsOf.put(kind, rows(kinds.constraintsOf(levels.round(kind))));
        }
        for (Map.Entry<ResidualNode, Integer> entry : equal.entrySet()) {
            ResidualNode node = entry.getKey();
            List<NodeShareKind> shareKinds = kinds.pieces(node);
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
    }

    private int[] rows(int[] numbers) {
        return IntStream.of(numbers).map(k -> firstRow + k).toArray();
    }

    private ResidualNode node(int v) {
        return ResidualNode.of(residualCluster, v).within(limits);
    }

    /** Returns the patterns of each node; empty if one has too many. */
    private static Map<ResidualNode, List<int[]>> patterns(Set<ResidualNode> nodes, PieceKinds kinds) {
        Map<ResidualNode, List<int[]>> patterns = new HashMap<>();
        for (ResidualNode node : nodes) {
            List<int[]> own = MaximalPatterns.of(node, kinds.pieces(node), MAX_PATTERNS);
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
        return subproblems.values();
    }

    /** Returns the maximum value of a packing pattern of node {@code v} of the class. */
    double mostOn(int v, double[] prices) {
        NodePackingSubproblem block = subproblems.get(node(v));
        if (block == null) {
            throw new IllegalArgumentException("node %d is not of this class".formatted(v));
        }
        return block.mostPerNode(prices);
    }
}
