package dev.spur.service.plan;

import dev.spur.model.aggregation.ShardAssignment;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A process that sums gradients by a published plan.
 *
 * @param node where it runs
 * @param number which of the aggregators of the node it is
 * @param port where it listens
 * @param cpus aggregation slots that it has
 * @param load share of its time that it is expected to be busy; null if nobody knows what its job sends
 * @param shardsByJob what lies on it, by job
 */
public record PlannedAggregator(
        String node,
        int number,
        int port,
        double cpus,
        @Nullable Double load,
        List<ShardAssignment> shardsByJob) {
    public PlannedAggregator {
        shardsByJob = List.copyOf(shardsByJob);
    }

    /** This with the shardsByJob of {@code jobs} alone. */
    PlannedAggregator only(Set<String> jobs) {
        List<ShardAssignment> own = shardsByJob.stream()
                .filter(jobShards -> jobs.contains(jobShards.jobId()))
                .toList();
        return new PlannedAggregator(node, number, port, cpus, load, own);
    }

    /** This without what is only expected of it. */
    public PlannedAggregator settled() {
        return new PlannedAggregator(node, number, port, cpus, null, shardsByJob);
    }
}
