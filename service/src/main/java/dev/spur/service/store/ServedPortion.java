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
public record ServedPortion(String jobId, long generation, int workers, List<Integer> shards) {
    public ServedPortion {
        shards = List.copyOf(shards);
    }
}
