package dev.spur.service.plans;

import dev.spur.model.aggregation.ShardAssignment;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An aggregator in a published plan, a process that sums gradients.
 *
 * @param number its number on the node
 * @param port port on which it listens
 * @param cpus its aggregation slots
 * @param load predicted share of time in which it is busy; null if the traffic of its jobs is unknown
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

    /** This aggregator with the shards of {@code jobs} only. */
    PlannedAggregator only(Set<String> jobs) {
        List<ShardAssignment> own = shardsByJob.stream()
                .filter(jobShards -> jobs.contains(jobShards.jobId()))
                .toList();
        return new PlannedAggregator(node, number, port, cpus, load, own);
    }

    /** This aggregator without predicted values. */
    public PlannedAggregator withoutPredictions() {
        return new PlannedAggregator(node, number, port, cpus, null, shardsByJob);
    }
}
