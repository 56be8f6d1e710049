package dev.spur.service.aggregation;

import java.util.List;

/**
 * Shards of one generation of a job on an aggregator.
 *
 * @param jobId id of the job
 * @param generation generation of the job
 * @param workers number of workers that send gradients
 * @param shards numbers of the shards
 */
public record JobShards(String jobId, long generation, int workers, List<Integer> shards) {
    public JobShards {
        shards = List.copyOf(shards);
    }
}
