package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.placement.HostUnits;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Capacity of one group of nodes for the pieces cut from them. Variables {@code y[group,kind]}: pieces of a kind cut
 * there; {@code z[group,pattern]}: nodes with a pattern.
 */
final class NodeGroupCapacity {
    /** Number of patterns of one residual node class beyond which its nodes get variables of their own. */
    private static final int MOST_PATTERNS = 400;

    private final CpModel program;
    private final CandidateVariables chosen;
    private final ResidualNodeClasses.Group group;
    private final List<NodeShareKind> kinds;
    private final IntVar[] cut;
    private final String name;
    private int rows;

    /** @param kinds kinds of pieces that fit the group's nodes, ascending by size */
    NodeGroupCapacity(
            CpModel program,
            CandidateVariables chosen,
            ResidualNodeClasses.Group group,
            List<NodeShareKind> kinds,
            String name) {
        this.program = program;
        this.chosen = chosen;
        this.group = group;
        this.kinds = kinds;
        this.name = name;
        this.cut = new IntVar[kinds.size()];
        for (int k = 0; k < cut.length; k++) {
            long most = (long) (group.free() / kinds.get(k).size()) * group.count();
            cut[k] = program.newIntVar(0, most, "y[%s,%s]".formatted(name, kinds.get(k)));
        }
    }

    /**
     * Adds the constraints and returns their number.
     *
     * @param hostsBind whether CPU or memory may be short
     */
    int add(boolean hostsBind) {
        if (group.count() == 1) {
            oneNodeIsNotOversubscribed();
        } else if (dividesInTurn(sizes())) {
            equalNodesAreNotOversubscribed();
        } else {
            nodesAreCutByPatterns();
        }
        if (hostsBind) {
            hostsAreNotOversubscribed(HostDemand::cpusPerSlot, group.cpus());
            hostsAreNotOversubscribed(HostDemand::memoryGiBPerSlot, group.memoryGiB());
        }
        return rows;
    }

    /** Returns the number of pieces of the k-th kind that are cut from the group. */
    IntVar cut(int k) {
        return cut[k];
    }

    /** Returns an upper bound on the nodes of the group from which a piece of the k-th kind is cut. */
    IntVar providers(int k) {
        IntVar nodes = program.newIntVar(0, group.count(), "u[%s,%s]".formatted(name, kinds.get(k)));
        program.addLessOrEqual(nodes, cut[k]);
        return nodes;
    }

    /** Slots of pieces cut + slots of kept allocations <= free slots of the node. */
    private void oneNodeIsNotOversubscribed() {
        LinearExprBuilder used = LinearExpr.newBuilder();
        for (int k = 0; k < cut.length; k++) {
            used.addTerm(cut[k], kinds.get(k).size());
        }
        for (ResidualNodeClasses.KeptShare keeper : group.keepers()) {
            used.addTerm(chosen.get(keeper.candidate()), keeper.slots());
        }
        program.addLessOrEqual(used, group.free());
        rows++;
    }

    /**
     * For each size s, where every size divides the next: sum over kinds of size s' >= s of (s'/s) * pieces <= nodes *
     * floor(free/s). This is exact, because a larger piece takes the same number of places of size s on any node.
     */
    private void equalNodesAreNotOversubscribed() {
        for (int size : sizes()) {
            LinearExprBuilder places = LinearExpr.newBuilder();
            for (int k = 0; k < cut.length; k++) {
                places.addTerm(cut[k], kinds.get(k).size() / size);
            }
            program.addLessOrEqual(places, (long) group.count() * (group.free() / size));
            rows++;
        }
    }

    /** Pieces of each size <= pieces of the patterns used; patterns used <= nodes. */
    private void nodesAreCutByPatterns() {
        int[] sizes = sizes();
        List<int[]> patterns = MaximalPatterns.maximal(group.free(), sizes, MOST_PATTERNS);
        if (patterns.isEmpty()) {
            eachNodeAlone(sizes);
            return;
        }
        LinearExprBuilder nodes = LinearExpr.newBuilder();
        LinearExprBuilder[] pieces = builders(sizes.length);
        for (int[] pattern : patterns) {
            IntVar times = program.newIntVar(0, group.count(), "z[%s,%s]".formatted(name, Arrays.toString(pattern)));
            nodes.add(times);
            for (int s = 0; s < sizes.length; s++) {
                pieces[s].addTerm(times, pattern[s]);
            }
        }
        program.addLessOrEqual(nodes, group.count());
        rows++;
        piecesAreCutSomewhere(sizes, pieces);
    }

    private void eachNodeAlone(int[] sizes) {
        LinearExprBuilder[] pieces = builders(sizes.length);
        for (int v = 0; v < group.count(); v++) {
            LinearExprBuilder used = LinearExpr.newBuilder();
            for (int s = 0; s < sizes.length; s++) {
                IntVar own = program.newIntVar(0, group.free() / sizes[s], "y[%s,%d,%d]".formatted(name, v, sizes[s]));
                used.addTerm(own, sizes[s]);
                pieces[s].add(own);
            }
            program.addLessOrEqual(used, group.free());
            rows++;
        }
        piecesAreCutSomewhere(sizes, pieces);
    }

    private void piecesAreCutSomewhere(int[] sizes, LinearExprBuilder[] pieces) {
        for (int s = 0; s < sizes.length; s++) {
            LinearExprBuilder ofSize = LinearExpr.newBuilder();
            for (int k = 0; k < cut.length; k++) {
                if (kinds.get(k).size() == sizes[s]) {
                    ofSize.add(cut[k]);
                }
            }
            program.addLessOrEqual(ofSize, pieces[s]);
            rows++;
        }
    }

    /**
     * Host demand of the pieces cut and of kept allocations <= capacity left, summed over the nodes. Demand is rounded
     * down and capacity up, so that the row never excludes a feasible choice.
     */
    private void hostsAreNotOversubscribed(ToDoubleFunction<HostDemand> demand, double left) {
        LinearExprBuilder used = LinearExpr.newBuilder();
        for (int k = 0; k < cut.length; k++) {
            used.addTerm(
                    cut[k], units(demand, kinds.get(k).demand(), kinds.get(k).size()));
        }
        for (ResidualNodeClasses.KeptShare keeper : group.keepers()) {
            used.addTerm(chosen.get(keeper.candidate()), units(demand, keeper.demand(), keeper.slots()));
        }
        program.addLessOrEqual(used, group.count() * HostUnits.supply(Math.max(0, left)));
        rows++;
    }

    private static long units(ToDoubleFunction<HostDemand> demand, HostDemand each, int slots) {
        return HostUnits.demand(demand.applyAsDouble(each) * slots);
    }

    private int[] sizes() {
        return kinds.stream().mapToInt(NodeShareKind::size).distinct().toArray();
    }

    private static boolean dividesInTurn(int[] sizes) {
        for (int s = 1; s < sizes.length; s++) {
            if (sizes[s] % sizes[s - 1] != 0) {
                return false;
            }
        }
        return true;
    }

    private static LinearExprBuilder[] builders(int length) {
        LinearExprBuilder[] builders = new LinearExprBuilder[length];
        Arrays.setAll(builders, i -> LinearExpr.newBuilder());
        return builders;
    }
}
