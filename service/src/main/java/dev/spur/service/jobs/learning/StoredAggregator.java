package dev.spur.service.jobs.learning;

import dev.spur.model.aggregation.Aggregator;
import dev.spur.model.aggregation.ShardAssignment;
import java.util.List;
import java.util.stream.Stream;

/**
 * Aggregator with its port and shards.
 *
 * @param port port on the node, unique among all aggregators and gangs
 * @param shardsByJob shards by the current plan
 * @param leaving further shards, of ending generations that still have processes. These stop after a common step, so
 *     they need the aggregator until then.
 */
public record StoredAggregator(
        String node, int number, double cpus, int port, List<JobShards> shardsByJob, List<JobShards> leaving) {
    public StoredAggregator {
        shardsByJob = List.copyOf(shardsByJob);
        leaving = List.copyOf(leaving);
    }

    /**
     * Shards of one generation of a job on an aggregator.
     *
     * @param workers number of workers that send gradients
     */
    public record JobShards(String jobId, long generation, int workers, List<Integer> shards) {
        public JobShards {
            shards = List.copyOf(shards);
        }
    }

    /** Returns all shards on the aggregator. */
    public Stream<JobShards> all() {
        return Stream.concat(shardsByJob.stream(), leaving.stream());
    }

    /** Returns the aggregator by the plan; it must have shards in the plan. */
    public Aggregator toAggregator() {
        return new Aggregator(
                node,
                number,
                cpus,
                shardsByJob.stream()
                        .map(jobShards -> new ShardAssignment(jobShards.jobId(), jobShards.shards()))
                        .toList());
    }

    /** Returns true if the plan contains it, so that it does not only serve ending generations. */
    public boolean isPlanned() {
        return !shardsByJob.isEmpty();
    }
}
