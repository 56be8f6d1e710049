package dev.spur.solver.placement;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Arrays;
import java.util.List;

/**
 * CPUs for aggregators of jobs that may move, by pool, in {@link HostUnits}. A node that offers aggregation has the
 * smaller one of its limit and its free CPUs for them. The aggregators of a pool may be on any of its nodes, so slots
 * may take CPUs as long as the sum suffices.
 */
final class AggregatorCpus {
    /** By node: limit of the shares that may move; 0 where no new aggregation may be placed. */
    private final long[] limits;
    /** By node: shares of pinned jobs. */
    private final long[] pinned;

    private final int[] poolOf;
    private final long[] byPool;
    /** By pool: demand of the aggregators. */
    private final long[] taken;

    private final boolean exist;

    private AggregatorCpus(long[] limits, long[] pinned, int[] poolOf, int pools) {
        this.limits = limits;
        this.pinned = pinned;
        this.poolOf = poolOf;
        this.byPool = new long[pools];
        this.taken = new long[pools];
        this.exist = Arrays.stream(limits).anyMatch(limit -> limit > 0);
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

    /** Returns no CPUs, whatever nodes there are. */
    static AggregatorCpus none() {
        return new AggregatorCpus(new long[0], new long[0], new int[0], 0);
    }

    /** Returns the CPUs of the nodes of {@code candidates}. */
    static AggregatorCpus of(CandidateSet candidates) {
        List<Node> nodes = candidates.clusterIndex().nodes();
        long[] pinned = new long[nodes.size()];
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation heldAllocation = candidates.job(j).allocation();
            if (heldAllocation != null && candidates.isPinned(j)) {
                for (AggregationShare share : heldAllocation.aggregation()) {
                    pinned[candidates.clusterIndex().indexOf(share.node())] += HostUnits.cpus(share.thousandths());
                }
            }
        }
        long[] limits = new long[pinned.length];
        int[] poolOf = new int[pinned.length];
        for (int v = 0; v < limits.length; v++) {
            Node node = nodes.get(v);
            poolOf[v] = indexOf(candidates.problem().pools(), node.pool());
            if (candidates.clusterIndex().offersAggregation(node)) {
                limits[v] = Math.max(0, HostUnits.cpus(Math.round(node.aggregationSlots() * 1000)) - pinned[v]);
            }
        }
        return new AggregatorCpus(
                limits, pinned, poolOf, candidates.problem().pools().size());
    }

    /** Subtracts the shares of pinned jobs from the CPUs of idle nodes. */
    void takePinned(long[] idleCpus) {
        for (int v = 0; v < pinned.length; v++) {
            idleCpus[v] -= pinned[v];
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

    /** Returns the free CPUs of pool {@code p}; below 0 where hosts have shrunk. */
    long free(int p) {
        return p < 0 ? 0 : byPool[p] - taken[p];
    }

    /** Takes {@code units} from pool {@code p}; a negative number returns them. */
    void take(int p, long units) {
        if (p >= 0) {
            taken[p] += units;
        }
    }

    /** Returns whether the aggregators keep enough where slots take {@code used} of the free CPUs of node {@code v}. */
    boolean keepEnough(int v, long freeCpus, long used) {
        if (!exist || used == 0 || limits[v] == 0) {
            return true;
        }
        long lost = lost(v, freeCpus, used);
        return lost == 0 || lost <= free(poolOf[v]);
    }

    /** Returns the CPUs that aggregators lose where slots take {@code used} of the free CPUs of node {@code v}. */
    long lost(int v, long freeCpus, long used) {
        return exist && limits[v] > 0 ? on(v, freeCpus) - on(v, freeCpus - used) : 0;
    }

    /** Returns the CPUs of node {@code v} where {@code freeCpus} are free, in whole thousandths. */
    long on(int v, long freeCpus) {
        return exist && limits[v] > 0
                ? HostUnits.cpus(HostUnits.thousandths(Math.min(limits[v], Math.max(0, freeCpus))))
                : 0;
    }

    /** Records that the free CPUs of node {@code v} change. */
    void change(int v, long before, long after) {
        if (exist && limits[v] > 0) {
            byPool[poolOf[v]] += on(v, after) - on(v, before);
        }
    }
}
