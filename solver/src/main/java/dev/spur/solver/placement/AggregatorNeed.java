package dev.spur.solver.placement;

import dev.spur.solver.aggregation.AggregatorDemand;
import java.util.TreeMap;

/**
 * CPUs that the aggregators of a pool need, in thousandths: those of jobs that do not share, plus the larger one of the
 * sum of effective bandwidths and the most slots of one job that shares. Aggregators that stay on their nodes count in
 * any case.
 */
public final class AggregatorNeed {
    private long dedicated;
    private long shared;
    private long minimum;
    /** Number of sharing jobs by slots. */
    private final TreeMap<Long, Integer> widths = new TreeMap<>();

    /** Adds the demand of a job; removes it if {@code sign} is -1. */
    void add(AggregatorDemand demand, int sign) {
        if (!demand.shares()) {
            dedicated += sign * demand.slots();
            return;
        }
        shared += sign * demand.cpus();
        widths.merge(demand.slots(), sign, (before, more) -> before + more == 0 ? null : before + more);
    }

    /** Returns the need. */
    public long thousandths() {
        return dedicated + Math.max(minimum, Math.max(shared, widest()));
    }

    /** Returns the need with the demand of one more job. */
    long with(AggregatorDemand demand) {
        return demand.shares()
                ? dedicated + Math.max(minimum, Math.max(shared + demand.cpus(), Math.max(widest(), demand.slots())))
                : thousandths() + demand.slots();
    }

    /** Sets the shared aggregators that stay on their nodes. */
    void stay(long thousandths) {
        minimum = thousandths;
    }

    /** Returns the shared aggregators that stay on their nodes. */
    public long minimum() {
        return minimum;
    }

    /** Returns the need of jobs that do not share. */
    public long ofJobsAlone() {
        return dedicated;
    }

    /** Returns the sum of the effective bandwidths of jobs that share. */
    public long bandwidth() {
        return shared;
    }

    /** Returns the most slots of a job that shares. */
    public long widest() {
        return widths.isEmpty() ? 0 : widths.lastKey();
    }
}
