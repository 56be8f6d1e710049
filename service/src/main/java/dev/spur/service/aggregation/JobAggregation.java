package dev.spur.service.aggregation;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What aggregators do for a job. Members as in the contract.
 *
 * @param statedBytes bytes of gradients that it says each worker sends in each step; null if it does not say
 * @param estimatedBytes what rounds count with
 * @param factor the second divided by the first
 * @param windows how often its aggregation was measured
 * @param measuredAt when that was last; null before
 * @param expectedLoad aggregation slots that it is expected to keep busy; null if nobody knows
 * @param measuredLoad the same as it was measured last; null before
 * @param aggregators where its shards lie
 * @param message what was measured, in words; null before
 */
record JobAggregation(
        String jobId,
        @Nullable Double statedBytes,
        @Nullable Double estimatedBytes,
        double factor,
        long windows,
        @Nullable Instant measuredAt,
        @Nullable Double expectedLoad,
        @Nullable Double measuredLoad,
        List<Place> aggregators,
        @Nullable String message) {
    JobAggregation {
        aggregators = List.copyOf(aggregators);
    }

    /**
     * An aggregator with shards of the job.
     *
     * @param shards numbers of the shards, of all of its generations
     * @param others how many other jobs have shards there
     * @param utilization share of its time that it was busy, for all of them; null before it was measured
     * @param load aggregation slots that this job kept busy; null before
     */
    record Place(
            String node,
            int number,
            double cpus,
            List<Integer> shards,
            int others,
            @Nullable Double utilization,
            @Nullable Double load) {
        /** What {@code aggregator} does for {@code job}. */
        static Place of(String job, AggregatorOverview aggregator) {
            List<Integer> shards = aggregator.shardsByJob().stream()
                    .filter(jobShards -> jobShards.jobId().equals(job))
                    .flatMap(jobShards -> jobShards.shards().stream())
                    .distinct()
                    .sorted()
                    .toList();
            long others = aggregator.shardsByJob().stream()
                    .map(AggregatorOverview.Portion::jobId)
                    .filter(id -> !id.equals(job))
                    .distinct()
                    .count();
            return new Place(
                    aggregator.node(),
                    aggregator.number(),
                    aggregator.cpus(),
                    shards,
                    (int) others,
                    aggregator.utilization(),
                    aggregator.loadOf(job));
        }
    }
}
