package dev.spur.service.aggregation;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Aggregation of a job. Members as in the contract.
 *
 * @param statedBytes declared gradient bytes per worker and step; null if not declared
 * @param estimatedBytes bytes that rounds use
 * @param factor estimatedBytes divided by statedBytes
 * @param windows number of measurements
 * @param measuredAt time of the last measurement; null before
 * @param expectedLoad predicted aggregation slots in use; null if unknown
 * @param measuredLoad aggregation slots in use by the last measurement; null before
 * @param aggregators locations of its shards
 * @param message the measurement in a sentence; null before
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
     * @param others number of other jobs with shards there
     * @param utilization measured share of time in which it is busy for all jobs; null before a measurement
     * @param load aggregation slots that this job uses; null before a measurement
     */
    record Place(
            String node,
            int number,
            double cpus,
            List<Integer> shards,
            int others,
            @Nullable Double utilization,
            @Nullable Double load) {
        /** The shards of {@code job} on {@code aggregator}. */
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
