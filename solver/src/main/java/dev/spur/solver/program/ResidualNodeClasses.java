package dev.spur.solver.program;

import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Residual node classes: nodes of each class grouped by their remaining capacity. A node with an allocation that could
 * be kept forms a group of its own.
 */
final class ResidualNodeClasses {
    /** Part of a kept candidate on one node: its slots, and the host demand of each slot. */
    record KeptShare(int candidate, int slots, HostDemand demand) {}

    /**
     * Nodes with equal remaining capacity.
     *
     * @param free free slots per node
     * @param cpus free host CPUs per node
     * @param memoryGiB free host memory per node
     * @param count number of nodes
     * @param keepers allocations that could be kept on the node; not empty only for a group of one node
     */
    record Group(int free, double cpus, double memoryGiB, int count, List<KeptShare> keepers) {}

    private final VariableFixing fixing;
    private final CandidateSet candidates;
    /** Allocations that could be kept, by node. */
    private final Map<Integer, List<KeptShare>> keepers = new HashMap<>();

    ResidualNodeClasses(VariableFixing fixing, CandidateVariables chosen) {
        this.fixing = fixing;
        this.candidates = fixing.candidates();
        for (int c : chosen.all().keySet()) {
            if (candidates.get(c).kept()) {
                HostDemand demand = candidates.host(candidates.get(c));
                for (NodeShare piece : heldBy(candidates.get(c).job())) {
                    keepers.computeIfAbsent(candidates.hardware().indexOf(piece.node()), v -> new ArrayList<>())
                            .add(new KeptShare(c, piece.slots(), demand));
                }
            }
        }
    }

    private List<NodeShare> heldBy(int j) {
        var held = candidates.job(j).allocation();
        return held == null ? List.of() : held.placement();
    }

    /** Returns the groups of a class; nodes without a free slot are left out. */
    List<Group> of(NodeClass nodeClass) {
        ResidualCluster left = fixing.residual();
        List<Group> groups = new ArrayList<>();
        Map<List<Object>, Integer> alike = new LinkedHashMap<>();
        Map<List<Object>, Integer> first = new LinkedHashMap<>();
        for (int v : nodeClass.nodes()) {
            List<KeptShare> own = keepers.getOrDefault(v, List.of());
            if (!own.isEmpty()) {
                groups.add(new Group(left.slots(v), left.cpus(v), left.memory(v), 1, own));
            } else if (left.slots(v) > 0) {
                List<Object> kind = List.of(left.slots(v), left.cpus(v), left.memory(v));
                alike.merge(kind, 1, Integer::sum);
                first.putIfAbsent(kind, v);
            }
        }
        first.forEach((kind, v) -> groups.add(
                new Group(left.slots(v), left.cpus(v), left.memory(v), alike.getOrDefault(kind, 1), List.of())));
        return groups;
    }
}
