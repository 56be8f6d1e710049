package dev.spur.service.jobs.learning;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counters of an aggregator as reported by an executor. They increase as long as its process runs. Members as in the
 * contract. Members as in the contract.
 */
public record CountsReport(
        int number,
        int port,
        String instance,
        double seconds,
        @Nullable Double cpuSeconds,
        List<ReportedJob> shardsByJob) {
    public CountsReport {
        shardsByJob = List.copyOf(shardsByJob);
    }

    /** Counters of a generation of a job. */
    record ReportedJob(String jobId, long generation, List<Shard> shards) {
        ReportedJob {
            shards = List.copyOf(shards);
        }

        /** Counters by shard; the last entry of a repeated shard applies. */
        Map<Integer, AggregatorCounts.ShardCounts> countsByShard() {
            return shards.stream()
                    .collect(Collectors.toMap(
                            Shard::shard,
                            shard -> new AggregatorCounts.ShardCounts(shard.parts(), shard.bytes(), shard.cpuSeconds()),
                            (one, other) -> other));
        }
    }

    /** Counters of a shard. */
    record Shard(
            int shard, long parts, long bytes, @Nullable Double cpuSeconds) {}
}
