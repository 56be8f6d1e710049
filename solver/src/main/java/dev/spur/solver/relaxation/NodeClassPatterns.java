package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.constraint.HostLimits;
import dev.spur.solver.constraint.MaximalPatterns;
import dev.spur.solver.constraint.NodeShareKind;
import dev.spur.solver.constraint.ResidualNode;
import dev.spur.solver.constraint.ResourceKey;
import dev.spur.solver.placement.ResidualCluster;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rows of one class of nodes, one per kind of piece, and the subproblems that cut its nodes. */
final class NodeClassPatterns {
    /** Number of patterns of a node above which the host demand of pieces is rounded. */
    private static final int MAX_PATTERNS = 20_000;

    private final ResidualCluster left;
    private final HostLimits limits;
    private final Map<ResidualNode, NodePackingSubproblem> blocks = new LinkedHashMap<>();
    /** Kinds of pieces with rounded demand; the row of kind k is {@link #firstRow} + k. */
    private final List<NodeShareKind> kinds;

    private final int firstRow;
    private final Map<NodeShareKind, Integer> rowOf = new HashMap<>();

    /**
     * @param limits host resources of the class that may be short
     * @param pieces kinds of pieces that candidates use in this class, without other demands
     */
    NodeClassPatterns(
            NodeClass nodeClass,
            HostLimits limits,
            Set<NodeShareKind> pieces,
            ResidualCluster left,
            ConstraintList rows) {
        this.left = left;
        this.limits = limits;
        Map<ResidualNode, Integer> equal = new LinkedHashMap<>();
        nodeClass.nodes().forEach(v -> equal.merge(node(v), 1, Integer::sum));
        DemandRounding levels = DemandRounding.exact(pieces);
        Map<ResidualNode, List<int[]>> patterns = patterns(equal.keySet(), levels.kinds(pieces));
        while (patterns.isEmpty() && !levels.isCoarsest()) {
            levels = levels.coarser();
            patterns = patterns(equal.keySet(), levels.kinds(pieces));
        }
        this.kinds = levels.kinds(pieces);
        this.firstRow = rows.size();
        kinds.forEach(kind ->
                rows.add(new ResourceKey.NodePieces(nodeClass.name(), kind.size(), kind.demand(), kind.access()), 0));
        for (NodeShareKind piece : pieces) {
            rowOf.put(piece, firstRow + kinds.indexOf(levels.round(piece)));
        }
        for (Map.Entry<ResidualNode, Integer> entry : equal.entrySet()) {
            ResidualNode node = entry.getKey();
            blocks.put(
                    node,
                    new NodePackingSubproblem(
                            entry.getValue(), node, kinds, firstRow, patterns.getOrDefault(node, List.of())));
        }
    }

    private ResidualNode node(int v) {
        return limits.binding(ResidualNode.of(left, v));
    }

    /** Returns the patterns of each node; empty if one has too many. */
    private static Map<ResidualNode, List<int[]>> patterns(Set<ResidualNode> nodes, List<NodeShareKind> kinds) {
        Map<ResidualNode, List<int[]>> patterns = new HashMap<>();
        for (ResidualNode node : nodes) {
            List<int[]> own = MaximalPatterns.of(node, kinds, MAX_PATTERNS);
            if (own.isEmpty()) {
                return Map.of();
            }
            patterns.put(node, own);
        }
        return patterns;
    }

    /** Returns the row of a piece of {@code kind}. */
    int row(NodeShareKind kind) {
        Integer row = rowOf.get(kind);
        if (row == null) {
            throw new IllegalStateException("no row for %s".formatted(kind));
        }
        return row;
    }

    /** Passes each row with the slots of its pieces to {@code consumer}. */
    void forEachRow(PatternCapacity.CapacityRow consumer) {
        for (int k = 0; k < kinds.size(); k++) {
            consumer.accept(firstRow + k, kinds.get(k).size());
        }
    }

    /** Returns the value of remaining capacity of nodes of {@code atom} at {@code prices}. */
    ResidualValue residualValue(int atom, double[] prices) {
        return new ResidualValue(kinds, k -> kinds.get(k).access().containsAtom(atom) ? prices[firstRow + k] : 0);
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
