package dev.spur.model.aggregation;

import dev.spur.model.Checks;
import java.util.Objects;

/**
 * How far jobs share aggregators.
 *
 * @param shared false to give each job aggregators of its own
 * @param utilization share of its time that an aggregator which several jobs share may be busy, above 0 and up to 1
 * @param maxStallFraction share of its step that any job may wait for the sums of others, at least 0; 0 lets nobody
 *     share
 * @param meanStallFraction the same on average over the jobs of a pool that wait for others at all, at least 0; files
 *     without it have {@code maxStallFraction} here
 * @param bytesPerSecond bytes of gradients that one aggregation slot takes in and sums
 */
public record AggregationSettings(
        boolean shared, double utilization, double maxStallFraction, Double meanStallFraction, double bytesPerSecond) {
    /**
     * Aggregators are busy for up to nine tenths, nobody is expected to lose more than 10 %, nor all more than 5 % on
     * average; a slot sums 0.5 GB/s.
     */
    public static final AggregationSettings DEFAULT = new AggregationSettings(true, 0.9, 0.1, 0.05, 5e8);

    public AggregationSettings {
        Checks.positive("utilization", utilization);
        Checks.require(utilization <= 1, "utilization (%s) must be at most 1", utilization);
        Checks.atLeast("maxStallFraction", maxStallFraction, 0);
        meanStallFraction = Objects.requireNonNullElse(meanStallFraction, maxStallFraction);
        Checks.atLeast("meanStallFraction", meanStallFraction, 0);
        Checks.positive("bytesPerSecond", bytesPerSecond);
    }
}
