package dev.spur.service.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an aggregator has done since its process started.
 *
 * @param number which of the aggregators of the node it is
 * @param instance differs for every process
 * @param seconds for how long it has run
 * @param cpuSeconds what its process has used of a CPU; null if nobody knows
 * @param shardsByJob by job and generation
 */
public record AggregatorCounts(
        int number,
        String instance,
        double seconds,
        @Nullable Double cpuSeconds,
        List<Portion> shardsByJob) {
    public AggregatorCounts {
        shardsByJob = List.copyOf(shardsByJob);
    }

    /** The counts of a generation of a job; empty if there are none. */
    public Optional<Portion> jobShards(String jobId, long generation) {
        return shardsByJob.stream()
                .filter(jobShards -> jobShards.jobId().equals(jobId) && jobShards.generation() == generation)
                .findFirst();
    }

    /**
     * What was done for a generation of a job.
     *
     * @param seconds how long the process had run then
     * @param load share of a slot that this kept busy in the last window; null before there is one
     * @param shards by number of the shard
     */
    public record Portion(
            String jobId,
            long generation,
            double seconds,
            @Nullable Double load,
            Map<Integer, ShardCounts> shards) {
        public Portion {
            shards = Map.copyOf(shards);
        }
    }

    /**
     * What was done for a shard.
     *
     * @param parts parts of sums that workers have sent
     * @param bytes bytes of numbers in them
     * @param cpuSeconds of a CPU; null if nobody knows
     */
    public record ShardCounts(
            long parts, long bytes, @Nullable Double cpuSeconds) {
        /** Nothing was done yet. */
        public static final ShardCounts NOTHING = new ShardCounts(0, 0, 0.0);
    }
}
