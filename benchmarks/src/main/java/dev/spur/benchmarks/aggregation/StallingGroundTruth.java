package dev.spur.benchmarks.aggregation;

import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.ProgressRate;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.solver.aggregation.AggregatorDemand;
import java.util.OptionalDouble;

/**
 * Ground truth of a job that stalls at the limit on the mean stall in each configuration whose aggregators it may
 * share, also while no other job uses them.
 *
 * @param alone behavior with aggregators of its own
 * @param settings limits on sharing
 */
record StallingGroundTruth(SpecGroundTruth alone, AggregationSettings settings) implements GroundTruth {
    @Override
    public ProgressRate progressRate(Configuration configuration, double doneSamples) {
        ProgressRate rate = alone.progressRate(configuration, doneSamples);
        boolean shares =
                AggregatorDemand.of(alone.spec(), configuration, settings).shares();
        double stretch = shares ? 1 + settings.meanStallFraction() : 1;
        return new ProgressRate(rate.samplesPerSecond() / stretch, rate.untilSamples(), rate.endsThere());
    }

    @Override
    public double startSeconds(boolean first) {
        return alone.startSeconds(first);
    }

    @Override
    public OptionalDouble stallSeconds(ChangeMechanism change) {
        return alone.stallSeconds(change);
    }
}
