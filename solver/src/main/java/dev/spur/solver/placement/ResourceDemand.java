package dev.spur.solver.placement;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.aggregation.AggregatorDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.quota.SlotUnits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Demand of a candidate for the resources that jobs share.
 *
 * @param units use of quotas and caps, in {@link SlotUnits}
 * @param nodeClass class of its nodes
 * @param access nodes of the class that the pieces may take; not used if they are fixed
 * @param pieces slots on each of its nodes; not to be changed
 * @param share what it takes of one device; null for whole devices
 * @param nodes nodes of the pieces if they are fixed, as those of a kept candidate; otherwise empty
 * @param isPinned whether the job is pinned to these nodes, whatever they still offer
 * @param host host demand of each slot
 * @param cpuUnits CPUs of each slot, in {@link HostUnits}
 * @param memoryUnits memory of each slot, in {@link HostUnits}
 * @param account quota account; -1 for none
 * @param nonPreemptibleAccount quota account of the jobs that are not preemptible; -1 for none
 * @param cap cap of the group; null for none
 * @param pool number of the pool of its aggregation slots
 * @param aggregators aggregators in the pool; none for a pinned job, whose aggregators are not part of the capacity
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ResourceDemand(
        int units,
        int nodeClass,
        NodeAccess access,
        int[] pieces,
        @Nullable DeviceShare share,
        int[] nodes,
        boolean isPinned,
        HostDemand host,
        long cpuUnits,
        long memoryUnits,
        int account,
        int nonPreemptibleAccount,
        GroupCaps.@Nullable Cap cap,
        int pool,
        AggregatorDemand aggregators) {
    private static final int[] NOT_FIXED = {};

    /**
     * Share of one device.
     *
     * @param job index of the job
     * @param parts parts of the device, below {@link Elasticity#PARTS}
     * @param device number of the device on its node if the job keeps it; below 0 the number of {@link SharedDevices}
     *     that it prefers, or any
     */
    public record DeviceShare(int job, int parts, int device) {}

    /** Returns the demand of {@code candidate}. */
    public static ResourceDemand of(CandidateSet candidates, Candidate candidate) {
        Allocation heldAllocation = candidates.job(candidate.job()).allocation();
        if (candidate.isRetained() && heldAllocation != null) {
            return of(candidates, candidate, heldAllocation.placement());
        }
        // A loop, because searches read the demands of millions of candidates.
        List<Integer> shape = candidate.configuration().shape();
        int[] pieces = new int[shape.size()];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = shape.get(i);
        }
        return of(candidates, candidate, pieces, NOT_FIXED, SharedDevices.ANY);
    }

    /** Returns the demand of {@code allocation}, an allocation of job {@code j}. */
    public static ResourceDemand of(CandidateSet candidates, int j, Allocation allocation) {
        return of(
                candidates,
                new Candidate(j, allocation.configuration(), -1, NodeAccess.WHOLE, 0, 0, ChangeMechanism.UNCHANGED),
                allocation.placement());
    }

    private static ResourceDemand of(CandidateSet candidates, Candidate candidate, List<NodeShare> nodeShares) {
        return of(
                candidates,
                candidate,
                nodeShares.stream().mapToInt(NodeShare::slots).toArray(),
                nodeShares.stream()
                        .mapToInt(share -> candidates.clusterIndex().indexOf(share.node()))
                        .toArray(),
                isShare(candidates, candidate) ? deviceOf(candidates, nodeShares.get(0)) : SharedDevices.ANY);
    }

    private static boolean isShare(CandidateSet candidates, Candidate candidate) {
        return candidates.job(candidate.job()).spec().elasticity().deviceShare() != null;
    }

    private static int deviceOf(CandidateSet candidates, NodeShare share) {
        return PartialPlacement.deviceOf(share, candidates.clusterIndex());
    }

    private static ResourceDemand of(
            CandidateSet candidates, Candidate candidate, int[] pieces, int[] nodes, int device) {
        int j = candidate.job();
        int parts = candidates.job(j).spec().elasticity().partsPerDevice();
        Configuration configuration = candidate.configuration();
        HostDemand host = candidates.host(candidate);
        return new ResourceDemand(
                candidates.quotas().units().of(candidates.job(j), configuration),
                candidate.nodeClass(),
                candidate.access(),
                pieces,
                parts == Elasticity.PARTS ? null : new DeviceShare(j, parts, device),
                nodes,
                nodes.length > 0 && candidates.isPinned(j),
                host,
                HostUnits.demand(host.cpusPerSlot()),
                HostUnits.demand(host.memoryGiBPerSlot()),
                candidates.quotas().accountOf(candidates.job(j).tenant(), configuration.acceleratorType()),
                candidates.quotas().nonPreemptibleAccountOf(candidates.job(j), configuration.acceleratorType()),
                candidates.groups().of(candidates.job(j)),
                AggregatorCpus.indexOf(candidates.problem().pools(), configuration.pool()),
                candidates.isPinned(j) ? AggregatorDemand.NONE : candidates.aggregators(candidate));
    }

    /** Returns this demand on the device {@code number} if it takes a share; -1 stands for any device. */
    public ResourceDemand onDevice(int number) {
        return share == null || number == SharedDevices.ANY
                ? this
                : new ResourceDemand(
                        units,
                        nodeClass,
                        access,
                        pieces,
                        new DeviceShare(share.job(), share.parts(), number),
                        nodes,
                        isPinned,
                        host,
                        cpuUnits,
                        memoryUnits,
                        account,
                        nonPreemptibleAccount,
                        cap,
                        pool,
                        aggregators);
    }

    /** Returns the parts of each device that it takes. */
    public int parts() {
        return share == null ? Elasticity.PARTS : share.parts();
    }

    /** Returns whether the nodes are fixed. */
    public boolean isFixed() {
        return nodes.length > 0;
    }

    /** Returns the same demand without CPUs and memory. */
    public ResourceDemand withoutHost() {
        return new ResourceDemand(
                units,
                nodeClass,
                access,
                pieces,
                share,
                nodes,
                isPinned,
                HostDemand.NONE,
                0,
                0,
                account,
                nonPreemptibleAccount,
                cap,
                pool,
                aggregators);
    }
}
