package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.constraint.HostLimits;
import dev.spur.solver.constraint.MaximalPatterns;
import dev.spur.solver.constraint.NodeShareKind;
import dev.spur.solver.constraint.ResidualNode;
import dev.spur.solver.constraint.ResourceKey;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows of one class of nodes, and the subproblems that cut its nodes.
 *
 * <p>There is a row for each kind of piece: the used pieces of its size and demand that only its nodes may provide are
 * at most those that its nodes are cut into. So a piece counts in the row of each access that includes its own (Gale,
 * "A theorem on flows in networks", 1957). Where two accesses overlap, their union has rows as well.
 */
final class NodeClassPatterns {
    /** Number of patterns of a node above which the host demand of pieces is rounded. */
    private static final int MAX_PATTERNS = 20_000;
    /** Number of accesses of a class above which no unions are added; the bound is valid without them. */
    private static final int MAX_ACCESSES = 16;

    private final ResidualCluster left;
    private final HostLimits limits;
    private final Map<ResidualNode, NodePackingSubproblem> blocks = new LinkedHashMap<>();
    /** Kinds of pieces with rounded demand; the row of kind k is {@link #firstRow} + k. */
    private final List<NodeShareKind> kinds;
    /** Pieces without their accesses. */
    private final List<NodeShareKind> pieces;

    private final int firstRow;
    private final Map<NodeShareKind, int[]> rowsOf = new HashMap<>();

    /**
     * @param limits host resources of the class that may be short
     * @param used kinds of pieces that candidates use in this class, without other demands
     */
    NodeClassPatterns(
            NodeClass nodeClass,
            HostLimits limits,
            Set<NodeShareKind> used,
            ResidualCluster left,
            ConstraintList rows) {
        this.left = left;
        this.limits = limits;
        Map<ResidualNode, Integer> equal = new LinkedHashMap<>();
        nodeClass.nodes().forEach(v -> equal.merge(node(v), 1, Integer::sum));
        DemandRounding levels = DemandRounding.exact(used);
        Map<ResidualNode, List<int[]>> patterns = patterns(equal.keySet(), levels.kinds(used));
        while (patterns.isEmpty() && !levels.isCoarsest()) {
            levels = levels.coarser();
            patterns = patterns(equal.keySet(), levels.kinds(used));
        }
        this.kinds = withUnions(levels.kinds(used), nodeClass);
        this.pieces = withoutAccess(kinds.stream());
        this.firstRow = rows.size();
        kinds.forEach(kind ->
                rows.add(new ResourceKey.NodePieces(nodeClass.name(), kind.size(), kind.demand(), kind.access()), 0));
        for (NodeShareKind piece : used) {
            NodeShareKind rounded = levels.round(piece);
            rowsOf.put(piece, rows(rounded, access -> access.includes(rounded.access())));
        }
        for (Map.Entry<ResidualNode, Integer> entry : equal.entrySet()) {
            ResidualNode node = entry.getKey();
            List<NodeShareKind> supply = supply(node, kinds);
            int[][] rowsOfPiece = supply.stream()
                    .map(piece -> rows(piece, access -> access.containsAtom(node.atom())))
                    .toArray(int[][]::new);
            blocks.put(
                    node,
                    new NodePackingSubproblem(
                            entry.getValue(),
                            node.slots(),
                            supply,
                            rowsOfPiece,
                            patterns.getOrDefault(node, List.of())));
        }
    }

    private ResidualNode node(int v) {
        return limits.binding(ResidualNode.of(left, v));
    }

    /** Returns the patterns of each node; empty if one has too many. */
    private static Map<ResidualNode, List<int[]>> patterns(Set<ResidualNode> nodes, List<NodeShareKind> kinds) {
        Map<ResidualNode, List<int[]>> patterns = new HashMap<>();
        for (ResidualNode node : nodes) {
            List<int[]> own = MaximalPatterns.of(node, supply(node, kinds), MAX_PATTERNS);
            if (own.isEmpty()) {
                return Map.of();
            }
            patterns.put(node, own);
        }
        return patterns;
    }

    /** Returns the pieces that {@code node} may be cut into, without their accesses. */
    private static List<NodeShareKind> supply(ResidualNode node, List<NodeShareKind> kinds) {
        return withoutAccess(kinds.stream().filter(node::provides));
    }

    private static List<NodeShareKind> withoutAccess(Stream<NodeShareKind> kinds) {
        return kinds.map(kind -> new NodeShareKind(kind.size(), kind.demand()))
                .distinct()
                .toList();
    }

    /** Returns {@code used}, and its pieces with the unions of their accesses that overlap. */
    private static List<NodeShareKind> withUnions(List<NodeShareKind> used, NodeClass nodeClass) {
        Map<NodeShareKind, Set<NodeAccess>> accesses = new LinkedHashMap<>();
        for (NodeShareKind kind : used) {
            accesses.computeIfAbsent(new NodeShareKind(kind.size(), kind.demand()), piece -> new TreeSet<>())
                    .add(kind.access());
        }
        List<NodeShareKind> all = new ArrayList<>();
        accesses.forEach((piece, own) -> NodeAccess.withUnions(own, nodeClass.atoms(), MAX_ACCESSES)
                .forEach(access -> all.add(new NodeShareKind(piece.size(), piece.demand(), access))));
        all.sort(NodeShareKind.LARGEST_FIRST);
        return all;
    }

    /** Returns the rows of pieces like {@code piece} whose access satisfies {@code which}. */
    private int[] rows(NodeShareKind piece, Predicate<NodeAccess> which) {
        return IntStream.range(0, kinds.size())
                .filter(k -> kinds.get(k).size() == piece.size()
                        && kinds.get(k).demand().equals(piece.demand())
                        && which.test(kinds.get(k).access()))
                .map(k -> firstRow + k)
                .toArray();
    }

    /** Returns the rows in which a piece of {@code kind} counts. */
    int[] rows(NodeShareKind kind) {
        int[] rows = rowsOf.get(kind);
        if (rows == null) {
            throw new IllegalStateException("no row for %s".formatted(kind));
        }
        return rows;
    }

    /** Passes each row with the slots of its pieces to {@code consumer}. */
    void forEachRow(PatternCapacity.CapacityRow consumer) {
        for (int k = 0; k < kinds.size(); k++) {
            NodeShareKind kind = kinds.get(k);
            boolean isInner = rows(kind, access -> access.includes(kind.access())).length > 1;
            consumer.accept(firstRow + k, kind.size(), isInner);
        }
    }

    /** Returns the value of remaining capacity of nodes of {@code atom} at {@code prices}. */
    ResidualValue residualValue(int atom, double[] prices) {
        double[] values = new double[pieces.size()];
        for (int i = 0; i < values.length; i++) {
            for (int row : rows(pieces.get(i), access -> access.containsAtom(atom))) {
                values[i] += prices[row];
            }
        }
        return new ResidualValue(pieces, i -> values[i]);
    }

    Collection<NodePackingSubproblem> blocks() {
        return blocks.values();
    }

    /** Returns the maximum value of a packing pattern of node {@code v} of the class. */
    double mostOn(int v, double[] prices) {
        NodePackingSubproblem block = blocks.get(node(v));
        if (block == null) {
            throw new IllegalArgumentException("node %d is not of this class".formatted(v));
        }
        return block.mostPerNode(prices);
    }
}
