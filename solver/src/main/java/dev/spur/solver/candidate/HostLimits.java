package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

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
        return of(candidates.problem(), candidates.clusterIndex(), nodeClass);
    }

    /** Returns the limits of {@code nodeClass} in {@code problem}. */
    static HostLimits of(RoundProblem problem, ClusterIndex clusterIndex, NodeClass nodeClass) {
        return new HostLimits(
                binds(problem, clusterIndex, nodeClass, HostDemand::cpusPerSlot, Node::cpus),
                binds(problem, clusterIndex, nodeClass, HostDemand::memoryGiBPerSlot, Node::memoryGiB));
    }

    /** Returns {@code demand} without the resources that cannot be short. */
    public HostDemand binding(HostDemand demand) {
        return cpus && memory
                ? demand
                : new HostDemand(cpus ? demand.cpusPerSlot() : 0, memory ? demand.memoryGiBPerSlot() : 0);
    }

    /** Returns whether {@code demand} takes at most as much as {@code other} of what may be short. */
    boolean isAtMost(HostDemand demand, HostDemand other) {
        return (!cpus || demand.cpusPerSlot() <= other.cpusPerSlot())
                && (!memory || demand.memoryGiBPerSlot() <= other.memoryGiBPerSlot());
    }

    /**
     * Returns those of {@code levels} that are faster than each other level with at most their demand for what may be
     * short; among equal ones that with the minimum number of CPUs, then of memory.
     */
    List<HostLevel> removeDominated(List<HostLevel> levels) {
        return levels.stream()
                .filter(level -> levels.stream().noneMatch(other -> dominates(other, level)))
                .toList();
    }

    private boolean dominates(HostLevel other, HostLevel level) {
        if (other.speed() < level.speed() || !isAtMost(HostDemand.of(other), HostDemand.of(level))) {
            return false;
        }
        boolean isEqual = other.speed() == level.speed() && isAtMost(HostDemand.of(level), HostDemand.of(other));
        return !isEqual
                || other.cpusPerSlot() < level.cpusPerSlot()
                || (other.cpusPerSlot() == level.cpusPerSlot() && other.memoryGiBPerSlot() < level.memoryGiBPerSlot());
    }

    private static boolean binds(
            RoundProblem problem,
            ClusterIndex clusterIndex,
            NodeClass nodeClass,
            ToDoubleFunction<HostDemand> demand,
            ToDoubleFunction<Node> supply) {
        double perSlot = nodeClass.nodes().stream()
                .map(clusterIndex.nodes()::get)
                .mapToDouble(node -> supply.applyAsDouble(node) / node.slots())
                .min()
                .orElse(0);
        return problem.jobs().stream().anyMatch(job -> max(job, demand) / share(job) > perSlot);
    }

    /** Returns the share of a device that a slot of {@code job} takes. */
    private static double share(Job job) {
        return job.spec().elasticity().partsPerDevice() / (double) Elasticity.PARTS;
    }

    /** Returns the maximum demand of a slot of {@code job} in any level that it may have or has. */
    private static double max(Job job, ToDoubleFunction<HostDemand> demand) {
        Allocation heldAllocation = job.allocation();
        double held =
                heldAllocation == null ? 0 : demand.applyAsDouble(job.spec().hostIn(heldAllocation.configuration()));
        return fastest(job).mapToDouble(demand).reduce(held, Math::max);
    }

    /** Returns the demands of the levels that a job would have if nothing were short, with that of its roles. */
    private static Stream<HostDemand> fastest(Job job) {
        JobSpec spec = job.spec();
        HostDemand ofRoles = spec.roles()
                .maxShare(spec.elasticity().minCount().orElse(spec.elasticity().minSlots()));
        Stream<HostDemand> ofRanks = spec.hostSensitivity() == null
                ? Stream.of(spec.host())
                : new HostLimits(true, true)
                        .removeDominated(spec.hostLevels()).stream().map(HostDemand::of);
        return ofRanks.map(demand -> demand.plus(ofRoles));
    }
}
