package dev.spur.solver.aggregation;

import dev.spur.model.Checks;
import java.util.Collections;
import java.util.List;

/**
 * Demand of one job for aggregation in each of its steps.
 *
 * @param job its id
 * @param stepSeconds seconds of a step, above 0
 * @param shardSeconds by shard of its tensors, the seconds of one aggregation slot per step, each above 0; at least one
 *     shard
 * @param ownBurstSeconds seconds of the longest burst on an aggregator of its own; a longer one on a shared one stalls
 *     it
 */
public record AggregationDemand(String job, double stepSeconds, List<Double> shardSeconds, double ownBurstSeconds) {
    public AggregationDemand {
        Checks.nonBlank("job", job);
        Checks.positive("stepSeconds", stepSeconds);
        shardSeconds = Checks.copy(shardSeconds);
        Checks.require(!shardSeconds.isEmpty(), "job %s has no shard", job);
        shardSeconds.forEach(seconds -> Checks.positive("shardSeconds", seconds));
    }

    /** A demand of a job that is as fast with all shards on one aggregator. */
    public AggregationDemand(String job, double stepSeconds, List<Double> shardSeconds) {
        this(
                job,
                stepSeconds,
                shardSeconds,
                shardSeconds.stream().mapToDouble(seconds -> seconds).sum());
    }

    /**
     * Returns the demand of a job that sums {@code bytes} of gradients of each of {@code workers} in every step, in
     * equal shards.
     *
     * <p>Source: the aggregation time {@code bytes * workers / rate} of AutoPS (arXiv 2204.03211), as reconstructed:
     * that paper does not print it.
     *
     * @param bytesPerSecond throughput of one aggregation slot
     * @param slots aggregation slots of the job, above 0
     * @param shards number of shards, at least 1
     */
    public static AggregationDemand of(
            String job,
            double stepSeconds,
            double bytes,
            int workers,
            double bytesPerSecond,
            double slots,
            int shards) {
        Checks.atLeast("shards", shards, 1);
        double seconds = bytes * workers / bytesPerSecond;
        return new AggregationDemand(job, stepSeconds, Collections.nCopies(shards, seconds / shards), seconds / slots);
    }

    /** Returns the number of aggregation slots that the job keeps busy, for example 2.5. */
    public double load() {
        return shardSeconds.stream()
                .mapToDouble(seconds -> seconds / stepSeconds)
                .sum();
    }
}
