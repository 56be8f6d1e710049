package dev.spur.model.aggregation;

import dev.spur.model.Checks;
import java.util.List;

/**
 * The shards of one job that an aggregator sums.
 *
 * @param jobId the job
 * @param shards numbers of the job's shards, ascending, at least one
 */
public record ShardAssignment(String jobId, List<Integer> shards) {
    public ShardAssignment {
        Checks.nonBlank("jobId", jobId);
        shards = Checks.copy(shards).stream().sorted().toList();
        Checks.require(!shards.isEmpty(), "the shard assignment of job %s has no shard", jobId);
    }
}
