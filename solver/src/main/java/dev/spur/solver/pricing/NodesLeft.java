package dev.spur.solver.pricing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Piece;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateSet;
import java.util.List;

/** What jobs that must stay leave of each node. */
final class NodesLeft {
    private final int[] slots;
    private final double[] cpus;
    private final double[] memory;

    NodesLeft(CandidateSet candidates) {
        List<Node> nodes = candidates.hardware().nodes();
        slots = nodes.stream().mapToInt(Node::slots).toArray();
        cpus = nodes.stream().mapToDouble(Node::cpus).toArray();
        memory = nodes.stream().mapToDouble(Node::memoryGiB).toArray();
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation held = candidates.job(j).allocation();
            if (candidates.mustStay(j) && held != null) {
                HostDemand demand = candidates.job(j).spec().hostIn(held.configuration());
                for (Piece piece : held.placement()) {
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
    NodePatterns.Rest of(int v) {
        return new NodePatterns.Rest(slots(v), cpus(v), memory(v));
    }
}
