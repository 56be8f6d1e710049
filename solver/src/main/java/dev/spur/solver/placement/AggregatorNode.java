package dev.spur.solver.placement;

import dev.spur.solver.aggregation.AggregatorDemand;
import java.util.TreeMap;

/** Aggregators of a node while shares of jobs are placed, in thousandths of a CPU. */
final class AggregatorNode {
    private final long cpus;
    private long dedicated;
    private double shared;
    /** Number of shares of sharing jobs by size. */
    private final TreeMap<Long, Integer> widths = new TreeMap<>();

    /** @param cpus CPUs for aggregators of jobs that are not pinned or share */
    AggregatorNode(long cpus) {
        this.cpus = cpus;
    }

    long cpus() {
        return cpus;
    }

    /** Returns the CPUs that a job which does not share may take. */
    long free() {
        return cpus - need(0, 0);
    }

    /** Returns the CPUs that the effective bandwidths of further jobs may take. */
    long freeForShared() {
        return Math.max(0, cpus - dedicated - (long) Math.ceil(shared));
    }

    /** Returns whether the node has the CPUs for a share of {@code slots} thousandths of a job. */
    boolean holds(AggregatorDemand demand, long slots) {
        return slots <= most(demand);
    }

    /** Returns the largest share of a job for which the node has the CPUs. */
    long most(AggregatorDemand demand) {
        if (!demand.shares()) {
            return Math.max(0, free());
        }
        double left = cpus - dedicated - shared;
        return left < 0
                ? 0
                : Math.min(cpus - dedicated, (long) Math.floor(left * demand.slots() / demand.cpus() + 1e-6));
    }

    /** Returns how many further CPUs a share takes. */
    long growth(AggregatorDemand demand, long slots) {
        return demand.shares() ? need(bandwidth(demand, slots), slots) - need(0, 0) : slots;
    }

    void add(AggregatorDemand demand, long slots) {
        change(demand, slots, 1);
    }

    void remove(AggregatorDemand demand, long slots) {
        change(demand, slots, -1);
    }

    private void change(AggregatorDemand demand, long slots, int sign) {
        if (demand.shares()) {
            shared += sign * bandwidth(demand, slots);
            widths.merge(slots, sign, (before, more) -> before + more == 0 ? null : before + more);
        } else {
            dedicated += sign * slots;
        }
    }

    private static double bandwidth(AggregatorDemand demand, long slots) {
        return (double) slots * demand.cpus() / demand.slots();
    }

    private long need(double more, long width) {
        long widest = widths.isEmpty() ? 0 : widths.lastKey();
        return dedicated + Math.max((long) Math.ceil(shared + more - 1e-6), Math.max(widest, width));
    }
}
