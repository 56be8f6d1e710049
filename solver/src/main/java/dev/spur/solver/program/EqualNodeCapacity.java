package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.resource.NodeShareKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;
import java.util.function.ToLongFunction;

/**
 * Capacity of nodes with equal free slots, no allocation that could be kept, and hosts that do not bind: a cutting
 * stock. Variables {@code z[pattern]}: number of nodes cut by the pattern. Constraints of single nodes would be
 * symmetric.
 */
final class EqualNodeCapacity implements NodeCapacity {
    private final List<Integer> nodes;
    private final List<NodeShareKind> kinds;
    private final List<int[]> patterns;
    private final IntVar[] times;

    /**
     * @param kinds kinds of pieces of which each node holds at least one
     * @param patterns maximal packing patterns of one node with pieces of {@code kinds}
     */
    EqualNodeCapacity(CpModel model, List<Integer> nodes, List<NodeShareKind> kinds, List<int[]> patterns) {
        this.nodes = List.copyOf(nodes);
        this.kinds = List.copyOf(kinds);
        this.patterns = patterns;
        this.times = patterns.stream()
                .map(pattern ->
                        model.newIntVar(0, nodes.size(), "z[" + nodes.get(0) + "," + Arrays.toString(pattern) + "]"))
                .toArray(IntVar[]::new);
        nodesAreCutByPatterns(model);
    }

    /** Patterns used <= nodes. */
    private void nodesAreCutByPatterns(CpModel model) {
        RoundConstraint.SLOTS.nameRow(model.addLessOrEqual(LinearExpr.sum(times), nodes.size()));
    }

    @Override
    public List<NodeShareKind> kinds() {
        return kinds;
    }

    @Override
    public LinearExpr pieces(NodeShareKind kind) {
        int k = kinds.indexOf(kind);
        return timesWeighted(p -> patterns.get(p)[k]);
    }

    @Override
    public LinearExpr nodesWith(NodeShareKind kind) {
        int k = kinds.indexOf(kind);
        return timesWeighted(p -> Math.min(1, patterns.get(p)[k]));
    }

    private LinearExpr timesWeighted(IntUnaryOperator weight) {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        for (int p = 0; p < times.length; p++) {
            sum.addTerm(times[p], weight.applyAsInt(p));
        }
        return sum.build();
    }

    @Override
    public void hint(Map<Integer, Map<NodeShareKind, Integer>> now, ObjIntConsumer<IntVar> hint) {
        int[] nodesCut = new int[times.length];
        for (int v : nodes) {
            int pattern = patternOf(now.getOrDefault(v, Map.of()));
            if (pattern >= 0) {
                nodesCut[pattern]++;
            }
        }
        for (int p = 0; p < times.length; p++) {
            hint.accept(times[p], nodesCut[p]);
        }
    }

    /** Returns a pattern with capacity for {@code pieces}; -1 if none has it. */
    private int patternOf(Map<NodeShareKind, Integer> pieces) {
        for (int p = 0; p < times.length; p++) {
            int[] pattern = patterns.get(p);
            if (pieces.entrySet().stream()
                    .allMatch(entry -> kinds.contains(entry.getKey())
                            && pattern[kinds.indexOf(entry.getKey())] >= entry.getValue())) {
                return p;
            }
        }
        return -1;
    }

    @Override
    public Map<Integer, Map<NodeShareKind, Long>> cut(ToLongFunction<IntVar> value) {
        List<Integer> uncut = new ArrayList<>(nodes);
        Map<Integer, Map<NodeShareKind, Long>> cut = new LinkedHashMap<>();
        for (int p = 0; p < times.length; p++) {
            for (long left = value.applyAsLong(times[p]); left > 0; left--) {
                Map<NodeShareKind, Long> pieces = new LinkedHashMap<>();
                for (int k = 0; k < kinds.size(); k++) {
                    pieces.put(kinds.get(k), (long) patterns.get(p)[k]);
                }
                cut.put(uncut.remove(uncut.size() - 1), pieces);
            }
        }
        return cut;
    }
}
