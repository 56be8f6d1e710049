package dev.spur.solver.pricing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateSet;
import java.util.List;

/** What jobs that must stay leave of each node. */
final class ResidualCapacity {
    private final int[] slots;
    private final double[] cpus;
    private final double[] memory;

    ResidualCapacity(CandidateSet candidates) {
        List<Node> nodes = candidates.hardware().nodes();
        slots = nodes.stream().mapToInt(Node::slots).toArray();
        cpus = nodes.stream().mapToDouble(Node::cpus).toArray();
        memory = nodes.stream().mapToDouble(Node::memoryGiB).toArray();
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation held = candidates.job(j).allocation();
            if (candidates.mustStay(j) && held != null) {
                HostDemand demand = candidates.job(j).spec().hostIn(held.configuration());
                for (NodeShare piece : held.placement()) {
                    int v = candidates.hardware().indexOf(piece.node());
                    slots[v] -= piece.slots();
                    cpus[v] -= piece.slots() * demand.cpusPerSlot();
                    memory[v] -= piece.slots() * demand.memoryGiBPerSlot();
                }
            }
        }
    }

    int slots(int v) {
        return slots[v];
    }

    /** CPUs left on node {@code v}; 0 also where jobs that must stay hold more than there are. */
    double cpus(int v) {
        return Math.max(0, cpus[v]);
    }

    /** GiB left on node {@code v}; 0 also where jobs that must stay hold more than there are. */
    double memory(int v) {
        return Math.max(0, memory[v]);
    }

    /** What is left of node {@code v}. */
    PackingPatterns.ResidualNode of(int v) {
        return new PackingPatterns.ResidualNode(slots(v), cpus(v), memory(v));
    }
}
