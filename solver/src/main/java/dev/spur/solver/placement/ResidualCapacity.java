package dev.spur.solver.placement;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Elasticity;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.group.GroupUsage;
import dev.spur.solver.quota.QuotaUsage;
import org.jspecify.annotations.Nullable;

/**
 * Residual capacity while jobs are placed one by one: nodes, quotas, caps of groups, aggregation slots. It answers
 * whether and where a candidate still fits. The restart limit is not part of it.
 */
public final class ResidualCapacity {
    private final CandidateSet candidates;
    private final ResidualCluster cluster;
    private final QuotaUsage quotas;
    private final GroupUsage groups;

    /** Creates the capacity without jobs. */
    public ResidualCapacity(CandidateSet candidates) {
        this.candidates = candidates;
        cluster = new ResidualCluster(candidates.clusterIndex(), AggregatorCpus.of(candidates));
        quotas = new QuotaUsage(candidates.quotas());
        groups = new GroupUsage(candidates.groups());
    }

    /** Returns the capacity that pinned jobs leave. */
    public static ResidualCapacity withoutPinned(CandidateSet candidates) {
        ResidualCapacity residual = new ResidualCapacity(candidates);
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation heldAllocation = candidates.job(j).allocation();
            if (heldAllocation != null && candidates.isPinned(j)) {
                residual.occupy(j, heldAllocation);
            }
        }
        return residual;
    }

    /** Returns the capacity without jobs and with unlimited hosts, for a caller that counts them itself. */
    public static ResidualCapacity withoutHosts(CandidateSet candidates) {
        ResidualCapacity residual = new ResidualCapacity(candidates);
        residual.cluster.ignoreHosts();
        return residual;
    }

    /** Returns the free capacity of nodes. */
    public ResidualCluster cluster() {
        return cluster;
    }

    /** Returns the use of the quotas. */
    public QuotaUsage quotas() {
        return quotas;
    }

    /** Returns the use of the caps of groups. */
    public GroupUsage groups() {
        return groups;
    }

    /**
     * Returns the free thousandths of aggregation slots of a pool next to the placed jobs; below 0 where hosts have
     * shrunk.
     */
    public long aggregation(String pool) {
        int p = AggregatorCpus.indexOf(candidates.problem().pools(), pool);
        return HostUnits.thousandths(cluster.aggregatorCpus().free(p));
    }

    /** Returns whether the quotas allow {@code demand}. */
    public boolean quotaAllows(ResourceDemand demand) {
        return quotas.blocking(demand.account(), demand.units()) < 0
                && quotas.blocking(demand.nonPreemptibleAccount(), demand.units()) < 0;
    }

    /** Returns whether the cap of its job's group allows {@code demand}. */
    public boolean groupAllows(ResourceDemand demand) {
        return groups.allows(demand.cap(), demand.units());
    }

    /** Returns the CPUs for aggregators of a pool next to the placed jobs, in units. */
    public long aggregatorCpuUnits(String pool) {
        return cluster.aggregatorCpus()
                .all(AggregatorCpus.indexOf(candidates.problem().pools(), pool));
    }

    /** Returns what the placed and pinned jobs of a pool need of them. */
    public AggregatorNeed aggregatorNeed(String pool) {
        return cluster.aggregatorCpus()
                .need(AggregatorCpus.indexOf(candidates.problem().pools(), pool));
    }

    /** Returns whether the pool has enough CPUs for the aggregators of {@code demand}. */
    public boolean aggregationAllows(ResourceDemand demand) {
        return cluster.aggregatorCpus().allow(demand.pool(), demand.aggregators(), 0);
    }

    /** Returns the same where {@code demand} takes the CPUs of {@code on}, a node for each piece. */
    public boolean aggregationAllows(ResourceDemand demand, int[] on) {
        return cluster.aggregatorCpus()
                .allow(demand.pool(), demand.aggregators(), cluster.aggregatorCpuUnitsLost(demand, on));
    }

    /** Returns whether everything other than nodes allows {@code demand}. */
    public boolean limitsAllow(ResourceDemand demand) {
        return quotaAllows(demand) && groupAllows(demand) && aggregationAllows(demand);
    }

    /**
     * Returns nodes on which {@code demand} fits: its fixed ones, or the cheapest for each piece. Returns null if some
     * capacity does not suffice. A pinned job always fits.
     */
    public int @Nullable [] nodesFor(ResourceDemand demand, PieceCost cost) {
        if (demand.isPinned()) {
            return demand.nodes();
        }
        int[] nodes = limitsAllow(demand) ? cluster.nodesFor(demand, cost) : null;
        return nodes != null && aggregationAllows(demand, nodes) ? nodes : null;
    }

    /**
     * Returns whether the nodes hold {@code demand} next to the aggregators; limits of quotas and groups do not count.
     */
    public boolean nodesHold(ResourceDemand demand) {
        int[] nodes = cluster.nodesFor(demand, ResidualCluster.FREE);
        return nodes != null && aggregationAllows(demand, nodes);
    }

    /** Returns whether {@code demand} fits on {@code on}, a node for each piece. */
    public boolean fits(ResourceDemand demand, int[] on) {
        return limitsAllow(demand) && cluster.hold(on, demand) && aggregationAllows(demand, on);
    }

    /**
     * Adds {@code demand} on the fullest nodes that hold it; returns a node for each piece, or null if it does not fit.
     */
    public int @Nullable [] place(ResourceDemand demand) {
        int[] nodes = nodesFor(demand, ResidualCluster.FREE);
        if (nodes != null) {
            add(demand, nodes);
        }
        return nodes;
    }

    /** Adds {@code demand} on {@code on}, a node for each piece. */
    public void add(ResourceDemand demand, int[] on) {
        cluster.take(demand, on);
        count(demand, 1);
    }

    /** Removes {@code demand} from {@code on}, a node for each piece. */
    public void remove(ResourceDemand demand, int[] on) {
        cluster.giveBack(demand, on);
        count(demand, -1);
    }

    private void count(ResourceDemand demand, int sign) {
        quotas.add(demand.account(), (long) sign * demand.units());
        quotas.add(demand.nonPreemptibleAccount(), (long) sign * demand.units());
        groups.add(demand.cap(), (long) sign * demand.units(), sign);
        cluster.aggregatorCpus().add(demand.pool(), demand.aggregators(), sign);
    }

    /** Returns the number of the device on node {@code v} that {@code candidate} shares; -1 for whole devices. */
    public int deviceOf(Candidate candidate, int v) {
        return candidate.parts() < Elasticity.PARTS ? cluster.rooms().deviceOf(v, candidate.job()) : SharedDevices.ANY;
    }

    /** Adds {@code allocation}, an allocation of job {@code j}. */
    public void occupy(int j, Allocation allocation) {
        ResourceDemand demand = ResourceDemand.of(candidates, j, allocation);
        add(demand, demand.nodes());
    }
}
