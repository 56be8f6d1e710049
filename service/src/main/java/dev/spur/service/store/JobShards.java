package dev.spur.service.store;

import java.util.List;

/**
 * What an aggregator sums for one generation of a job.
 *
 * @param jobId the job
 * @param generation of the job
 * @param workers how many send
 * @param shards numbers of its shards
 */
public record JobShards(String jobId, long generation, int workers, List<Integer> shards) {
    public JobShards {
        shards = List.copyOf(shards);
    }
}
