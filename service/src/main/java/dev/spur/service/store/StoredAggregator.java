package dev.spur.service.store;

import dev.spur.model.aggregation.Aggregator;
import dev.spur.model.aggregation.ShardAssignment;
import java.util.List;
import java.util.stream.Stream;

/**
 * An aggregator, and where it listens.
 *
 * @param node the node on which it runs
 * @param number which of the aggregators of that node it is
 * @param cpus aggregation slots that it has
 * @param port its port on the node, of its own among all aggregators and gangs
 * @param shardsByJob what lies on it by the current plan
 * @param leaving what lies on it besides, as long as generations that are to end have processes: they stop after a step
 *     that they make together, so they need it to the end
 */
public record StoredAggregator(
        String node, int number, double cpus, int port, List<JobShards> shardsByJob, List<JobShards> leaving) {
    public StoredAggregator {
        shardsByJob = List.copyOf(shardsByJob);
        leaving = List.copyOf(leaving);
    }

    /** Everything that lies on it. */
    public Stream<JobShards> all() {
        return Stream.concat(shardsByJob.stream(), leaving.stream());
    }

    /** The aggregator of the plan; something lies on it by that. */
    public Aggregator planned() {
        return new Aggregator(
                node,
                number,
                cpus,
                shardsByJob.stream()
                        .map(jobShards -> new ShardAssignment(jobShards.jobId(), jobShards.shards()))
                        .toList());
    }

    /** True if the plan wants it, and not only generations that are to end. */
    public boolean isPlanned() {
        return !shardsByJob.isEmpty();
    }
}
