package dev.spur.service.jobs.learning;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counters of an aggregator since its process started.
 *
 * @param cpuSeconds CPU time of the process; null if it is unknown
 */
public record AggregatorCounts(
        int number,
        String instance,
        double seconds,
        @Nullable Double cpuSeconds,
        List<JobCounts> shardsByJob) {
    public AggregatorCounts {
        shardsByJob = List.copyOf(shardsByJob);
    }

    /** Returns the counters of a generation of a job; empty if there are none. */
    public Optional<JobCounts> jobShards(String jobId, long generation) {
        return shardsByJob.stream()
                .filter(jobShards -> jobShards.jobId().equals(jobId) && jobShards.generation() == generation)
                .findFirst();
    }

    /**
     * Counters for one generation of a job.
     *
     * @param seconds run time of the process at the report
     * @param load share of a slot that the generation kept busy in the last window; null before the first window ends
     */
    public record JobCounts(
            String jobId,
            long generation,
            double seconds,
            @Nullable Double load,
            Map<Integer, ShardCounts> shards) {
        public JobCounts {
            shards = Map.copyOf(shards);
        }
    }

    /**
     * Counters for a shard.
     *
     * @param parts parts of sums that workers have sent
     * @param bytes bytes of numbers in these parts
     * @param cpuSeconds CPU time; null if it is unknown
     */
    public record ShardCounts(
            long parts, long bytes, @Nullable Double cpuSeconds) {
        /** Counters before the first part. */
        public static final ShardCounts NOTHING = new ShardCounts(0, 0, 0.0);
    }
}
