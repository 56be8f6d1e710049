package dev.spur.solver.program;

import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import java.util.ArrayList;
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

    /** Remaining capacity of one node. */
    private static final class ResidualNode {
        private int free;
        private double cpus;
        private double memoryGiB;
        private final List<KeptShare> keepers = new ArrayList<>();

        ResidualNode(Node node) {
            free = node.slots();
            cpus = node.cpus();
            memoryGiB = node.memoryGiB();
        }

        void take(int slots, HostDemand demand) {
            free -= slots;
            cpus -= slots * demand.cpusPerSlot();
            memoryGiB -= slots * demand.memoryGiBPerSlot();
        }
    }

    private final CandidateSet candidates;
    private final ResidualNode[] rests;

    ResidualNodeClasses(CandidateSet candidates, VariableFixing scope) {
        this.candidates = candidates;
        ClusterIndex hardware = candidates.hardware();
        rests = hardware.nodes().stream().map(ResidualNode::new).toArray(ResidualNode[]::new);
        for (int j = 0; j < candidates.jobs(); j++) {
            int kept = candidates.kept(j);
            if (!scope.isOpen(j)) {
                settle(scope.settled(j), scope.settledPieces(j));
            } else if (kept >= 0 && candidates.isPinned(j)) {
                settle(kept, heldBy(j));
            } else if (kept >= 0 && scope.isAllowed(kept)) {
                HostDemand demand = candidates.host(candidates.get(kept));
                for (NodeShare piece : heldBy(j)) {
                    rest(piece).keepers.add(new KeptShare(kept, piece.slots(), demand));
                }
            }
        }
    }

    private void settle(int candidate, List<NodeShare> pieces) {
        pieces.forEach(piece -> rest(piece).take(piece.slots(), candidates.host(candidates.get(candidate))));
    }

    private List<NodeShare> heldBy(int j) {
        var held = candidates.job(j).allocation();
        return held == null ? List.of() : held.placement();
    }

    private ResidualNode rest(NodeShare piece) {
        return rests[candidates.hardware().indexOf(piece.node())];
    }

    /** Returns the groups of a class; nodes without a free slot are left out. */
    List<Group> of(NodeClass nodeClass) {
        List<Group> groups = new ArrayList<>();
        Map<List<Object>, Integer> alike = new LinkedHashMap<>();
        Map<List<Object>, ResidualNode> first = new LinkedHashMap<>();
        for (int v : nodeClass.nodes()) {
            ResidualNode rest = rests[v];
            if (!rest.keepers.isEmpty()) {
                groups.add(new Group(rest.free, rest.cpus, rest.memoryGiB, 1, List.copyOf(rest.keepers)));
            } else if (rest.free > 0) {
                List<Object> kind = List.of(rest.free, rest.cpus, rest.memoryGiB);
                alike.merge(kind, 1, Integer::sum);
                first.putIfAbsent(kind, rest);
            }
        }
        first.forEach((kind, rest) ->
                groups.add(new Group(rest.free, rest.cpus, rest.memoryGiB, alike.getOrDefault(kind, 1), List.of())));
        return groups;
    }
}
