package dev.spur.service.aggregation;

import dev.spur.service.store.AggregatorCounts;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an executor reports of an aggregator: counts that only rise as long as its process runs. Members as in the
 * contract.
 *
 * @param number which of the aggregators of the node it is
 * @param port where it listens
 * @param instance differs for every process
 * @param seconds for how long it has run
 * @param cpuSeconds what its process has used of a CPU; null if nobody knows
 * @param shardsByJob what it has done, by job and generation
 */
public record CountsReport(
        int number,
        int port,
        String instance,
        double seconds,
        @Nullable Double cpuSeconds,
        List<Portion> shardsByJob) {
    public CountsReport {
        shardsByJob = List.copyOf(shardsByJob);
    }

    /** What was done for a generation of a job. */
    record Portion(String jobId, long generation, List<Shard> shards) {
        Portion {
            shards = List.copyOf(shards);
        }

        /** By shard; of one that is listed twice the last counts. */
        Map<Integer, AggregatorCounts.ShardCounts> done() {
            return shards.stream()
                    .collect(Collectors.toMap(
                            Shard::shard,
                            shard -> new AggregatorCounts.ShardCounts(shard.parts(), shard.bytes(), shard.cpuSeconds()),
                            (one, other) -> other));
        }
    }

    /** What was done for a shard. */
    record Shard(
            int shard, long parts, long bytes, @Nullable Double cpuSeconds) {}
}
