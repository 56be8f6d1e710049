package dev.spur.solver.program;

import dev.spur.model.allocation.Piece;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.Hardware;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of each class by what is left of them: nodes on which something could be kept stand alone, the others are
 * grouped by free slots (residual node classes).
 */
final class NodeGroups {
    /** A kept candidate and the slots that it holds on one node. */
    record Keeper(int candidate, int slots) {}

    /**
     * Nodes that are alike in what is left.
     *
     * @param nodeClass index of their class
     * @param free slots per node that no untouchable job holds
     * @param count number of nodes
     * @param keepers what could be kept on the node; not empty only for a node that stands alone
     */
    record Group(int nodeClass, int free, int count, List<Keeper> keepers) {}

    private final Map<Integer, List<Group>> byClass = new TreeMap<>();

    NodeGroups(CandidateSet candidates) {
        Hardware hardware = candidates.hardware();
        Map<Integer, Integer> taken = new HashMap<>();
        Map<Integer, List<Keeper>> keepers = new HashMap<>();
        for (int j = 0; j < candidates.jobs(); j++) {
            Job job = candidates.job(j);
            if (job.allocation() == null || candidates.kept(j) < 0) {
                continue;
            }
            for (Piece piece : job.allocation().placement()) {
                int v = hardware.indexOf(piece.node());
                if (candidates.mustStay(j)) {
                    taken.merge(v, piece.slots(), Integer::sum);
                } else {
                    keepers.computeIfAbsent(v, n -> new ArrayList<>())
                            .add(new Keeper(candidates.kept(j), piece.slots()));
                }
            }
        }
        hardware.classes().forEach(c -> byClass.put(c.index(), group(c, taken, keepers)));
    }

    /** The groups of a class. */
    List<Group> of(int nodeClass) {
        List<Group> groups = byClass.get(nodeClass);
        return groups == null ? List.of() : groups;
    }

    private static List<Group> group(
            NodeClass nodeClass, Map<Integer, Integer> taken, Map<Integer, List<Keeper>> keepers) {
        List<Group> groups = new ArrayList<>();
        Map<Integer, Integer> alike = new TreeMap<>();
        for (int v : nodeClass.nodes()) {
            int free = nodeClass.slotsPerNode() - taken.getOrDefault(v, 0);
            @Nullable List<Keeper> own = keepers.get(v);
            if (own != null) {
                groups.add(new Group(nodeClass.index(), free, 1, own));
            } else if (free > 0) {
                alike.merge(free, 1, Integer::sum);
            }
        }
        alike.forEach((free, count) -> groups.add(new Group(nodeClass.index(), free, count, List.of())));
        return groups;
    }
}
