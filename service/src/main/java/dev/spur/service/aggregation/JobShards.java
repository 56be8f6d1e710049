package dev.spur.service.aggregation;

import java.util.List;

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
