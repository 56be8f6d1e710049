package dev.spur.solver.resource;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeClass;
import java.util.function.ToDoubleFunction;

/**
 * Host resources of a class of nodes that may be short: some job demands more per slot than some node has per slot.
 * Where none does, free slots imply enough of the resource.
 *
 * @param cpus whether CPUs may be short
 * @param memory whether memory may be short
 */
public record HostLimits(boolean cpus, boolean memory) {
    /** Returns the limits of {@code nodeClass} in the round of {@code candidates}. */
    public static HostLimits of(CandidateSet candidates, NodeClass nodeClass) {
        return new HostLimits(
                binds(candidates, nodeClass, HostDemand::cpusPerSlot, Node::cpus),
                binds(candidates, nodeClass, HostDemand::memoryGiBPerSlot, Node::memoryGiB));
    }

    /** Returns {@code demand} without the resources that cannot be short. */
    public HostDemand binding(HostDemand demand) {
        return cpus && memory
                ? demand
                : new HostDemand(cpus ? demand.cpusPerSlot() : 0, memory ? demand.memoryGiBPerSlot() : 0);
    }

    /** Returns {@code node} without limits of the resources that cannot be short. */
    public ResidualNode binding(ResidualNode node) {
        return new ResidualNode(node.slots(), cpus ? node.cpus() : 0, memory ? node.memoryGiB() : 0, node.atom());
    }

    private static boolean binds(
            CandidateSet candidates,
            NodeClass nodeClass,
            ToDoubleFunction<HostDemand> demand,
            ToDoubleFunction<Node> supply) {
        double perSlot = nodeClass.nodes().stream()
                .map(candidates.clusterIndex().nodes()::get)
                .mapToDouble(node -> supply.applyAsDouble(node) / node.slots())
                .min()
                .orElse(0);
        return candidates.problem().jobs().stream().anyMatch(job -> max(job, demand) > perSlot);
    }

    /**
     * Returns the maximum demand of a slot of {@code job}: the requested or the granted demand, whichever is larger.
     */
    private static double max(Job job, ToDoubleFunction<HostDemand> demand) {
        Allocation heldAllocation = job.allocation();
        double stated = demand.applyAsDouble(job.spec().host());
        return heldAllocation == null
                ? stated
                : Math.max(stated, demand.applyAsDouble(job.spec().hostIn(heldAllocation.configuration())));
    }
}
