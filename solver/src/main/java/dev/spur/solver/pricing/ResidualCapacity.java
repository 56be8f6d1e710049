package dev.spur.solver.pricing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.CandidateSet;
import java.util.List;

/** Capacity of each node without the slots and host resources of pinned jobs. */
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
            if (candidates.isPinned(j) && held != null) {
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

    /** Returns the CPUs left on node {@code v}; 0 also where pinned jobs hold more than the node has. */
    double cpus(int v) {
        return Math.max(0, cpus[v]);
    }

    /** Returns the memory left on node {@code v} in GiB; 0 also where pinned jobs hold more than the node has. */
    double memory(int v) {
        return Math.max(0, memory[v]);
    }

    /** Returns the remaining capacity of node {@code v}. */
    PackingPatterns.ResidualNode of(int v) {
        return new PackingPatterns.ResidualNode(slots(v), cpus(v), memory(v));
    }
}
