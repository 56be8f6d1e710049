package dev.spur.solver.placement;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.solver.aggregation.AggregatorDemand;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Arrays;
import java.util.List;

/**
 * CPUs of aggregators, by pool, in {@link HostUnits}. A node that offers aggregation has the smaller one of its limit
 * and its free CPUs for them. The aggregators of a pool may be on any of its nodes, so slots may take CPUs as long as
 * the sum suffices.
 *
 * <p>Aggregators of pinned jobs stay on their nodes. Where such a job shares, other jobs may use its aggregators;
 * otherwise its CPUs are not free.
 */
final class AggregatorCpus {
    /** By node: limit of the aggregators; 0 where no new aggregation may be placed. */
    private final long[] limits;
    /** By node: CPUs of pinned jobs that do not share. */
    private final long[] taken;
    /** By node: aggregators of pinned jobs that share. */
    private final long[] fixed;

    private final int[] poolOf;
    private final long[] byPool;
    private final AggregatorNeed[] needs;
    private final boolean exist;

    private AggregatorCpus(int nodes, int pools) {
        limits = new long[nodes];
        taken = new long[nodes];
        fixed = new long[nodes];
        poolOf = new int[nodes];
        byPool = new long[pools];
        needs = new AggregatorNeed[pools];
        Arrays.setAll(needs, p -> new AggregatorNeed());
        exist = nodes > 0;
    }

    /** Returns no CPUs, whatever nodes there are. */
    static AggregatorCpus none() {
        return new AggregatorCpus(0, 0);
    }

    /** Returns the CPUs of the nodes of {@code candidates}, with the aggregators of pinned jobs. */
    static AggregatorCpus of(CandidateSet candidates) {
        List<Node> nodes = candidates.clusterIndex().nodes();
        List<Pool> pools = candidates.problem().pools();
        if (nodes.stream().allMatch(node -> node.aggregationSlots() == 0)
                && candidates.problem().jobs().stream()
                        .allMatch(job -> job.allocation() == null
                                || job.allocation().aggregation().isEmpty())) {
            return none();
        }
        AggregatorCpus cpus = new AggregatorCpus(nodes.size(), pools.size());
        for (int v = 0; v < cpus.limits.length; v++) {
            Node node = nodes.get(v);
            cpus.poolOf[v] = indexOf(pools, node.pool());
            if (candidates.clusterIndex().offersAggregation(node)) {
                cpus.limits[v] = HostUnits.cpus(Math.round(node.aggregationSlots() * 1000));
            }
        }
        long[] widest = new long[cpus.limits.length];
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation heldAllocation = candidates.job(j).allocation();
            if (heldAllocation != null && candidates.isPinned(j)) {
                cpus.addPinned(candidates, j, heldAllocation, widest);
            }
        }
        long[] staying = new long[pools.size()];
        for (int v = 0; v < cpus.limits.length; v++) {
            cpus.fixed[v] = Math.max(cpus.fixed[v], widest[v]);
            staying[Math.max(0, cpus.poolOf[v])] += cpus.fixed[v];
            cpus.limits[v] = Math.max(0, cpus.limits[v] - cpus.taken[v]);
        }
        for (int p = 0; p < staying.length; p++) {
            cpus.needs[p].stay(HostUnits.thousandths(staying[p]));
        }
        return cpus;
    }

    private void addPinned(CandidateSet candidates, int j, Allocation heldAllocation, long[] widest) {
        AggregatorDemand demand = candidates.aggregators(j, heldAllocation);
        for (AggregationShare share : heldAllocation.aggregation()) {
            int v = candidates.clusterIndex().indexOf(share.node());
            if (demand.shares()) {
                fixed[v] += HostUnits.cpus((share.thousandths() * demand.cpus() + demand.slots() - 1) / demand.slots());
                widest[v] = Math.max(widest[v], HostUnits.cpus(share.thousandths()));
            } else {
                taken[v] += HostUnits.cpus(share.thousandths());
            }
        }
        if (demand.shares()) {
            int p = indexOf(
                    candidates.problem().pools(), heldAllocation.configuration().pool());
            add(p, demand, 1);
        }
    }

    /** Returns the number of the pool {@code name}; -1 if the problem has no such pool. */
    static int indexOf(List<Pool> pools, String name) {
        for (int p = 0; p < pools.size(); p++) {
            if (pools.get(p).name().equals(name)) {
                return p;
            }
        }
        return -1;
    }

    /** Subtracts the CPUs of pinned jobs that do not share from those of idle nodes. */
    void takePinned(long[] idleCpus) {
        for (int v = 0; v < taken.length; v++) {
            idleCpus[v] -= taken[v];
        }
    }

    /** Counts the CPUs again. */
    void count(long[] freeCpus) {
        Arrays.fill(byPool, 0);
        for (int v = 0; v < limits.length; v++) {
            if (limits[v] > 0) {
                byPool[poolOf[v]] += on(v, freeCpus[v]);
            }
        }
    }

    /** Returns the CPUs of pool {@code p} for aggregators. */
    long all(int p) {
        return p < 0 || !exist ? 0 : byPool[p];
    }

    /** Returns the need of pool {@code p}. */
    AggregatorNeed need(int p) {
        return p < 0 || !exist ? new AggregatorNeed() : needs[p];
    }

    /** Adds the demand of a job in pool {@code p}; removes it if {@code sign} is -1. */
    void add(int p, AggregatorDemand demand, int sign) {
        if (p >= 0 && exist && demand.slots() > 0) {
            needs[p].add(demand, sign);
        }
    }

    /** Returns the free CPUs of pool {@code p}; below 0 where hosts have shrunk. */
    long free(int p) {
        return all(p) - HostUnits.cpus(need(p).thousandths());
    }

    /**
     * Returns whether pool {@code p} has CPUs for one more job.
     *
     * @param lost CPUs that its slots take from aggregators
     */
    boolean allow(int p, AggregatorDemand demand, long lost) {
        return (demand.slots() == 0 && lost == 0) || HostUnits.cpus(need(p).with(demand)) + lost <= all(p);
    }

    /** Returns whether the aggregators keep enough where slots take {@code used} of the free CPUs of node {@code v}. */
    boolean keepEnough(int v, long freeCpus, long used) {
        if (!exist || used == 0 || limits[v] == 0) {
            return true;
        }
        long lost = loss(v, freeCpus, used);
        return lost == 0 || (lost <= free(poolOf[v]) && on(v, freeCpus - used) >= fixed[v]);
    }

    /** Returns the CPUs that aggregators lose where slots take {@code used} of the free CPUs of node {@code v}. */
    long loss(int v, long freeCpus, long used) {
        return exist && limits[v] > 0 ? on(v, freeCpus) - on(v, freeCpus - used) : 0;
    }

    /** Returns the CPUs of node {@code v} where {@code freeCpus} are free, in whole thousandths. */
    long on(int v, long freeCpus) {
        return exist && limits[v] > 0
                ? HostUnits.cpus(HostUnits.thousandths(Math.min(limits[v], Math.max(0, freeCpus))))
                : 0;
    }

    /** Returns the CPUs of aggregators that stay on node {@code v}, and that other jobs may use. */
    long minimumOn(int v) {
        return exist ? fixed[v] : 0;
    }

    /** Records that the free CPUs of node {@code v} change. */
    void change(int v, long before, long after) {
        if (exist && limits[v] > 0) {
            byPool[poolOf[v]] += on(v, after) - on(v, before);
        }
    }
}
