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
 * The nodes of each class by what is left of them: nodes on which something could be kept stand alone, the others are
 * grouped by what is free (residual node classes).
 */
final class ResidualNodeClasses {
    /** A kept candidate with the slots that it holds on one node, and what each of them needs of the host. */
    record KeptShare(int candidate, int slots, HostDemand demand) {}

    /**
     * Nodes that are alike in what is left.
     *
     * @param free slots per node that nothing settled holds
     * @param cpus host CPUs per node that nothing settled holds
     * @param memoryGiB host memory per node that nothing settled holds
     * @param count number of nodes
     * @param keepers what could be kept on the node; not empty only for a node that stands alone
     */
    record Group(int free, double cpus, double memoryGiB, int count, List<KeptShare> keepers) {}

    /** What is left of one node. */
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
            } else if (kept >= 0 && candidates.mustStay(j)) {
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

    /** The groups of a class; nodes without a free slot are left out. */
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
