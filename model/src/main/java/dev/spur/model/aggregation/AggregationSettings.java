package dev.spur.model.aggregation;

import dev.spur.model.Checks;
import java.util.Objects;

/**
 * How far jobs share aggregators.
 *
 * @param shared false to give each job aggregators of its own
 * @param utilisation share of its time that an aggregator which several jobs share may be busy, above 0 and up to 1
 * @param loss share of its step that any job may wait for the sums of others, at least 0; 0 lets nobody share
 * @param meanLoss the same on average over the jobs of a pool that wait for others at all, at least 0; files without it
 *     have {@code loss} here
 * @param bytesPerSecond bytes of gradients that one aggregation slot takes in and sums
 */
public record AggregationSettings(
        boolean shared, double utilisation, double loss, Double meanLoss, double bytesPerSecond) {
    /**
     * Aggregators are busy for up to nine tenths, nobody is expected to lose more than 10 %, nor all more than 5 % on
     * average; a slot sums 0.5 GB/s.
     */
    public static final AggregationSettings DEFAULT = new AggregationSettings(true, 0.9, 0.1, 0.05, 5e8);

    public AggregationSettings {
        Checks.positive("utilisation", utilisation);
        Checks.require(utilisation <= 1, "utilisation (%s) must be at most 1", utilisation);
        Checks.atLeast("loss", loss, 0);
        meanLoss = Objects.requireNonNullElse(meanLoss, loss);
        Checks.atLeast("meanLoss", meanLoss, 0);
        Checks.positive("bytesPerSecond", bytesPerSecond);
    }
}
