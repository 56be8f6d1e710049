package dev.spur.solver.program;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClass;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * That the pieces of what is chosen can be cut from the nodes of each class.
 *
 * <p>Variables {@code y[class,group,size]}: pieces of a size cut from the nodes of a group; {@code z[...]}: nodes of a
 * group cut by a pattern; {@code u[...]}: nodes of a group from which at least one piece of a size is cut.
 */
final class PieceRows {
    /** Beyond so many patterns for one kind of node, its nodes get variables of their own. */
    private static final int MOST_PATTERNS = 400;

    private final CpModel program;
    private final CandidateSet candidates;
    private final ChosenVariables chosen;
    private final NodeGroups groups;
    private int rows;

    PieceRows(CpModel program, CandidateSet candidates, ChosenVariables chosen) {
        this.program = program;
        this.candidates = candidates;
        this.chosen = chosen;
        this.groups = new NodeGroups(candidates);
    }

    /** Adds the rows of all classes and returns their number. */
    int add() {
        for (NodeClass nodeClass : candidates.hardware().classes()) {
            addClass(nodeClass);
        }
        return rows;
    }

    private void addClass(NodeClass nodeClass) {
        int[] sizes = sizesOn(nodeClass.index());
        LinearExprBuilder[] supply = builders(sizes.length);
        LinearExprBuilder[] providers = builders(sizes.length);
        int number = 0;
        for (NodeGroups.Group group : groups.of(nodeClass.index())) {
            String name = nodeClass.index() + "," + number++;
            addGroup(group, sizes, name, supply, providers);
        }
        for (int s = 0; s < sizes.length; s++) {
            piecesAreCut(nodeClass.index(), sizes[s], supply[s].build());
            gangsHaveNodesOfTheirOwn(nodeClass, sizes[s], providers[s].build());
        }
    }

    /** For each class and size: pieces of chosen fresh candidates <= pieces cut. */
    private void piecesAreCut(int nodeClass, int size, LinearExpr supply) {
        LinearExpr demand = chosen.sum(c -> isFreshOn(c, nodeClass), c -> count(c, size));
        program.addLessOrEqual(demand, supply);
        rows++;
    }

    /** For each fresh candidate with several pieces of a size: nodes that provide one >= pieces, if it is chosen. */
    private void gangsHaveNodesOfTheirOwn(NodeClass nodeClass, int size, LinearExpr providers) {
        if (size * 2 > nodeClass.slotsPerNode()) {
            return;
        }
        for (int c = 0; c < candidates.size(); c++) {
            if (isFreshOn(c, nodeClass.index()) && count(candidates.get(c), size) > 1) {
                program.addLessOrEqual(LinearExpr.term(chosen.get(c), count(candidates.get(c), size)), providers);
                rows++;
            }
        }
    }

    private void addGroup(
            NodeGroups.Group group,
            int[] sizes,
            String name,
            LinearExprBuilder[] supply,
            LinearExprBuilder[] providers) {
        int[] fitting =
                Arrays.stream(sizes).filter(size -> size <= group.free()).toArray();
        IntVar[] cut = new IntVar[fitting.length];
        for (int s = 0; s < fitting.length; s++) {
            long most = (long) group.free() / fitting[s] * group.count();
            cut[s] = program.newIntVar(0, most, "y[%s,%d]".formatted(name, fitting[s]));
            supply[s].add(cut[s]);
        }
        if (group.count() == 1) {
            oneNodeIsNotOversubscribed(group, fitting, cut);
        } else if (dividesInTurn(fitting)) {
            equalNodesAreNotOversubscribed(group, fitting, cut);
        } else {
            nodesAreCutByPatterns(group, fitting, cut, name);
        }
        for (int s = 0; s < fitting.length; s++) {
            IntVar nodes = program.newIntVar(0, group.count(), "u[%s,%d]".formatted(name, fitting[s]));
            program.addLessOrEqual(nodes, cut[s]);
            providers[s].add(nodes);
        }
    }

    /** Slots of pieces cut + slots of what is kept there <= free slots of the node. */
    private void oneNodeIsNotOversubscribed(NodeGroups.Group group, int[] sizes, IntVar[] cut) {
        LinearExprBuilder used = LinearExpr.newBuilder();
        for (int s = 0; s < sizes.length; s++) {
            used.addTerm(cut[s], sizes[s]);
        }
        for (NodeGroups.Keeper keeper : group.keepers()) {
            used.addTerm(chosen.get(keeper.candidate()), keeper.slots());
        }
        program.addLessOrEqual(used, group.free());
        rows++;
    }

    /**
     * For each size s, where every size divides the next: sum over sizes s' >= s of (s'/s) * pieces <= nodes * floor(free/s).
     * Exact: a larger piece takes the same number of places for s from whatever node it is cut.
     */
    private void equalNodesAreNotOversubscribed(NodeGroups.Group group, int[] sizes, IntVar[] cut) {
        for (int s = 0; s < sizes.length; s++) {
            LinearExprBuilder places = LinearExpr.newBuilder();
            for (int larger = s; larger < sizes.length; larger++) {
                places.addTerm(cut[larger], sizes[larger] / sizes[s]);
            }
            program.addLessOrEqual(places, (long) group.count() * (group.free() / sizes[s]));
            rows++;
        }
    }

    /** Pieces of each size <= pieces of the patterns used; patterns used <= nodes. */
    private void nodesAreCutByPatterns(NodeGroups.Group group, int[] sizes, IntVar[] cut, String name) {
        List<int[]> patterns = Patterns.maximal(group.free(), sizes, MOST_PATTERNS);
        if (patterns.isEmpty()) {
            eachNodeAlone(group, sizes, cut, name);
            return;
        }
        LinearExprBuilder nodes = LinearExpr.newBuilder();
        LinearExprBuilder[] pieces = builders(sizes.length);
        for (int p = 0; p < patterns.size(); p++) {
            IntVar times =
                    program.newIntVar(0, group.count(), "z[%s,%s]".formatted(name, Arrays.toString(patterns.get(p))));
            nodes.add(times);
            for (int s = 0; s < sizes.length; s++) {
                pieces[s].addTerm(times, patterns.get(p)[s]);
            }
        }
        program.addLessOrEqual(nodes, group.count());
        for (int s = 0; s < sizes.length; s++) {
            program.addLessOrEqual(cut[s], pieces[s]);
        }
        rows += 1 + sizes.length;
    }

    private void eachNodeAlone(NodeGroups.Group group, int[] sizes, IntVar[] cut, String name) {
        LinearExprBuilder[] pieces = builders(sizes.length);
        for (int v = 0; v < group.count(); v++) {
            LinearExprBuilder used = LinearExpr.newBuilder();
            for (int s = 0; s < sizes.length; s++) {
                IntVar own = program.newIntVar(0, group.free() / sizes[s], "y[%s,%d,%d]".formatted(name, v, sizes[s]));
                used.addTerm(own, sizes[s]);
                pieces[s].add(own);
            }
            program.addLessOrEqual(used, group.free());
        }
        for (int s = 0; s < sizes.length; s++) {
            program.addLessOrEqual(cut[s], pieces[s]);
        }
        rows += group.count() + sizes.length;
    }

    private static boolean dividesInTurn(int[] sizes) {
        for (int s = 1; s < sizes.length; s++) {
            if (sizes[s] % sizes[s - 1] != 0) {
                return false;
            }
        }
        return true;
    }

    private int[] sizesOn(int nodeClass) {
        TreeSet<Integer> sizes = new TreeSet<>();
        for (int c = 0; c < candidates.size(); c++) {
            if (isFreshOn(c, nodeClass)) {
                sizes.addAll(candidates.get(c).configuration().shape());
            }
        }
        return sizes.stream().mapToInt(Integer::intValue).toArray();
    }

    private boolean isFreshOn(int c, int nodeClass) {
        Candidate candidate = candidates.get(c);
        return !candidate.kept() && candidate.nodeClass() == nodeClass;
    }

    private static long count(Candidate candidate, int size) {
        return candidate.configuration().shape().stream()
                .filter(piece -> piece == size)
                .count();
    }

    private static LinearExprBuilder[] builders(int length) {
        LinearExprBuilder[] builders = new LinearExprBuilder[length];
        Arrays.setAll(builders, i -> LinearExpr.newBuilder());
        return builders;
    }
}
