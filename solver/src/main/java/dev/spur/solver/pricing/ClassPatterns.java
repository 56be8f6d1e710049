package dev.spur.solver.pricing;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.program.PieceKind;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of one class of nodes, one per kind of piece, and the blocks that cut its nodes. */
final class ClassPatterns {
    /** How names of rows of pieces begin. */
    static final String PIECES = "pieces:";

    private final DemandLevels levels;
    private final Map<PieceKind, Integer> rowOf = new LinkedHashMap<>();
    private final Map<NodePatterns.Rest, EqualNodes> blocks = new LinkedHashMap<>();
    private final Map<Integer, EqualNodes> blockOf = new HashMap<>();

    /**
     * @param name of the class
     * @param pieces kinds of pieces that jobs may take here
     */
    ClassPatterns(String name, NodeClass nodeClass, Set<PieceKind> pieces, NodesLeft left, RowList rows) {
        Map<NodePatterns.Rest, Integer> alike = new LinkedHashMap<>();
        for (int v : nodeClass.nodes()) {
            alike.merge(left.of(v), 1, Integer::sum);
        }
        DemandLevels level = DemandLevels.exact(pieces);
        List<PieceKind> kinds = level.kinds(pieces);
        Map<NodePatterns.Rest, Cuts> cuts = patterns(alike.keySet(), kinds);
        while (cuts == null && !level.isCoarsest()) {
            level = level.coarser();
            kinds = level.kinds(pieces);
            cuts = patterns(alike.keySet(), kinds);
        }
        levels = level;
        for (PieceKind kind : kinds) {
            rowOf.put(kind, rows.add(rowName(name, kind), 0));
        }
        int[] rowOfKind = rowOf.values().stream().mapToInt(Integer::intValue).toArray();
        for (Map.Entry<NodePatterns.Rest, Integer> entry : alike.entrySet()) {
            NodePatterns.Rest rest = entry.getKey();
            Cuts own = cuts == null ? null : cuts.get(rest);
            blocks.put(
                    rest,
                    new EqualNodes(entry.getValue(), rowOfKind, own == null ? new SlotCuts(rest.slots(), kinds) : own));
        }
        nodeClass.nodes().forEach(v -> blockOf.put(v, blocks.get(left.of(v))));
    }

    private static String rowName(String name, PieceKind kind) {
        return PIECES + name + " of " + kind.size() + " with " + kind.demand().cpusPerSlot() + " CPUs and "
                + kind.demand().memoryGiBPerSlot() + " GiB each";
    }

    private static @Nullable Map<NodePatterns.Rest, Cuts> patterns(
            Set<NodePatterns.Rest> rests, List<PieceKind> kinds) {
        Map<NodePatterns.Rest, Cuts> patterns = new HashMap<>();
        for (NodePatterns.Rest rest : rests) {
            NodePatterns own = NodePatterns.of(rest, kinds);
            if (own == null) {
                return null;
            }
            patterns.put(rest, own);
        }
        return patterns;
    }

    /** The row of a piece of {@code size} of a job that needs {@code demand}. */
    int row(int size, HostDemand demand) {
        PieceKind kind = new PieceKind(size, levels.of(demand));
        Integer row = rowOf.get(kind);
        if (row == null) {
            throw new IllegalStateException("no row for %s".formatted(kind));
        }
        return row;
    }

    /** The kinds of pieces with their rows. */
    Map<PieceKind, Integer> rows() {
        return rowOf;
    }

    /** By kind of piece its price, by row in {@code prices}. */
    Map<PieceKind, Double> prices(double[] prices) {
        Map<PieceKind, Double> byKind = new LinkedHashMap<>();
        rowOf.forEach((kind, row) -> byKind.put(kind, prices[row]));
        return byKind;
    }

    Collection<EqualNodes> blocks() {
        return blocks.values();
    }

    /** The block of node {@code v} of the class. */
    EqualNodes blockOf(int v) {
        EqualNodes block = blockOf.get(v);
        if (block == null) {
            throw new IllegalArgumentException("node %d is not of this class".formatted(v));
        }
        return block;
    }
}
