package dev.spur.model.validation;

import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;

/**
 * Demand of a job for shared aggregators, by the rules of the validator.
 *
 * @param shares whether other jobs may use its aggregators
 * @param cpusPerSlot CPUs that each of its aggregation slots adds, from 0 to 1
 */
record SharedAggregation(boolean shares, double cpusPerSlot) {
    /** Factors for jobs whose steps differ and for shards that cannot be divided. */
    private static final double UTILIZATION_RESERVE = 2.2;

    private static final double STALL_RESERVE = 1.25;

    private static final SharedAggregation DEDICATED = new SharedAggregation(false, 1);

    /**
     * Returns the aggregation of {@code job} with {@code allocation}. A job sums b bytes of each of its w workers in a
     * step of t seconds, on s slots of r bytes/s each. So it keeps u = b w / (r s t) of each slot busy. An aggregator
     * with n such slots is busy for n u, and a job stalls there for (n - 1) u² / 2 of its step.
     */
    static SharedAggregation of(ProblemIndex index, Job job, Allocation allocation) {
        AggregationSettings settings = index.problem.settings().aggregation();
        Configuration configuration = allocation.configuration();
        Double bytes = job.spec().synchronization().gradientBytes();
        double slots = configuration.aggregationThousandths() / 1000.0;
        double perSecond = configuration.throughput(job.spec().profile(), configuration.batchSize());
        if (bytes == null
                || slots == 0
                || perSecond <= 0
                || !settings.allowsSharing()
                || !nodesTakeJobs(index, allocation)) {
            return DEDICATED;
        }
        double steps = perSecond / configuration.batchSize();
        double busy = bytes * configuration.slots() * steps / (settings.bytesPerSecond() * slots);
        double perSlot = Math.max(
                UTILIZATION_RESERVE * busy / settings.utilization(),
                STALL_RESERVE * busy * busy / (2 * settings.meanStallFraction()));
        double thousandths = Math.min(1000 * slots, Math.ceil(perSlot * slots * 1000));
        return thousandths < 1000 * slots ? new SharedAggregation(true, thousandths / (1000 * slots)) : DEDICATED;
    }

    private static boolean nodesTakeJobs(ProblemIndex index, Allocation allocation) {
        for (AggregationShare share : allocation.aggregation()) {
            Node node = index.node(share.node());
            if (node == null || !node.state().takesNewJobs()) {
                return false;
            }
        }
        return true;
    }
}
