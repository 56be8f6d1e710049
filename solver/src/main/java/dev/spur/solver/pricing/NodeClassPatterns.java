package dev.spur.solver.pricing;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.constraint.ResourceKey;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.program.NodeShareKind;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Rows of one class of nodes, one per kind of piece, and the subproblems that cut its nodes. */
final class NodeClassPatterns {
    private final DemandRounding levels;
    private final Map<NodeShareKind, Integer> rowOf = new LinkedHashMap<>();
    /** Row by size for each demand, filled on demand. Thread-safe. */
    private final Map<HostDemand, int[]> rowsOf = new ConcurrentHashMap<>();

    private final Map<PackingPatterns.ResidualNode, NodePackingSubproblem> blocks = new LinkedHashMap<>();
    private final Map<Integer, NodePackingSubproblem> blockOf = new HashMap<>();

    /** @param pieces kinds of pieces that candidates use in this class */
    NodeClassPatterns(NodeClass nodeClass, Set<NodeShareKind> pieces, ResidualCluster left, ConstraintList rows) {
        Map<PackingPatterns.ResidualNode, Integer> alike = new LinkedHashMap<>();
        for (int v : nodeClass.nodes()) {
            alike.merge(PackingPatterns.ResidualNode.of(left, v), 1, Integer::sum);
        }
        DemandRounding level = DemandRounding.exact(pieces);
        List<NodeShareKind> kinds = level.kinds(pieces);
        Map<PackingPatterns.ResidualNode, PatternOracle> cuts = patterns(alike.keySet(), kinds);
        while (cuts == null && !level.isCoarsest()) {
            level = level.coarser();
            kinds = level.kinds(pieces);
            cuts = patterns(alike.keySet(), kinds);
        }
        levels = level;
        for (NodeShareKind kind : kinds) {
            rowOf.put(kind, rows.add(new ResourceKey.NodePieces(nodeClass.name(), kind.size(), kind.demand()), 0));
        }
        int[] rowOfKind = rowOf.values().stream().mapToInt(Integer::intValue).toArray();
        for (Map.Entry<PackingPatterns.ResidualNode, Integer> entry : alike.entrySet()) {
            PackingPatterns.ResidualNode rest = entry.getKey();
            PatternOracle own = cuts == null ? null : cuts.get(rest);
            blocks.put(
                    rest,
                    new NodePackingSubproblem(
                            entry.getValue(),
                            rowOfKind,
                            own == null ? new UnboundedKnapsack(rest.slots(), kinds) : own));
        }
        nodeClass.nodes().forEach(v -> blockOf.put(v, blocks.get(PackingPatterns.ResidualNode.of(left, v))));
    }

    private static @Nullable Map<PackingPatterns.ResidualNode, PatternOracle> patterns(
            Set<PackingPatterns.ResidualNode> rests, List<NodeShareKind> kinds) {
        Map<PackingPatterns.ResidualNode, PatternOracle> patterns = new HashMap<>();
        for (PackingPatterns.ResidualNode rest : rests) {
            PackingPatterns own = PackingPatterns.of(rest, kinds);
            if (own == null) {
                return null;
            }
            patterns.put(rest, own);
        }
        return patterns;
    }

    /** Returns the row of a piece of {@code size} slots with {@code demand} per slot. */
    int row(int size, HostDemand demand) {
        int[] bySize = rowsOf.get(demand);
        if (bySize == null) {
            bySize = rowsBySize(demand);
            rowsOf.put(demand, bySize);
        }
        if (size >= bySize.length || bySize[size] < 0) {
            throw new IllegalStateException("no row for %d slots with %s".formatted(size, demand));
        }
        return bySize[size];
    }

    private int[] rowsBySize(HostDemand demand) {
        HostDemand level = levels.of(demand);
        int largest =
                rowOf.keySet().stream().mapToInt(NodeShareKind::size).max().orElse(0);
        int[] bySize = new int[largest + 1];
        Arrays.fill(bySize, -1);
        rowOf.forEach((kind, row) -> {
            if (kind.demand().equals(level)) {
                bySize[kind.size()] = row;
            }
        });
        return bySize;
    }

    /** Returns the row by kind of piece. */
    Map<NodeShareKind, Integer> rows() {
        return rowOf;
    }

    /** Returns the price by kind of piece. */
    Map<NodeShareKind, Double> prices(double[] prices) {
        Map<NodeShareKind, Double> byKind = new LinkedHashMap<>();
        rowOf.forEach((kind, row) -> byKind.put(kind, prices[row]));
        return byKind;
    }

    Collection<NodePackingSubproblem> blocks() {
        return blocks.values();
    }

    /** Returns the subproblem of node {@code v} of the class. */
    NodePackingSubproblem blockOf(int v) {
        NodePackingSubproblem block = blockOf.get(v);
        if (block == null) {
            throw new IllegalArgumentException("node %d is not of this class".formatted(v));
        }
        return block;
    }
}
