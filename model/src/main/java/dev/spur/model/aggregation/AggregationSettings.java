package dev.spur.model.aggregation;

import dev.spur.model.Checks;
import java.util.Objects;

/**
 * Limits on the sharing of aggregators between jobs.
 *
 * @param shared false to give each job its own aggregators
 * @param utilization maximum fraction of its time that a shared aggregator may be busy, above 0 and up to 1
 * @param maxStallFraction maximum fraction of its step that any job may wait for the sums of other jobs, at least 0; 0
 *     disables sharing
 * @param meanStallFraction maximum mean of this fraction over the jobs of a pool that wait for others at all, at least
 *     0; {@code maxStallFraction} if absent in a file
 * @param bytesPerSecond bytes of gradients that one aggregation slot receives and sums per second
 */
public record AggregationSettings(
        boolean shared, double utilization, double maxStallFraction, Double meanStallFraction, double bytesPerSecond) {
    /**
     * Aggregators are busy for up to 90 %. The expected stall is at most 10 % of a step for each job, and at most 5 %
     * on average; a slot sums 0.5 GB/s.
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

    /** Returns whether jobs may share aggregators at all. */
    public boolean allowsSharing() {
        return shared && maxStallFraction > 0 && meanStallFraction > 0;
    }
}
