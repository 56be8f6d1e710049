package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.JobSpec;
import dev.spur.model.utility.Goodput;
import java.util.OptionalDouble;

/**
 * Ground truth of a job that runs exactly by its spec until its samples are done. The speed follows from the profile
 * and the efficiency of the spec, at the batch size of the configuration.
 *
 * @param spec true spec of the job on nodes without other jobs; contention is simulated
 * @param firstStartSeconds seconds from the first assignment of slots to the first progress
 * @param restartSeconds seconds from each later assignment of slots to progress
 */
public record SpecGroundTruth(JobSpec spec, double firstStartSeconds, double restartSeconds) implements GroundTruth {
    public SpecGroundTruth {
        Checks.atLeast("firstStartSeconds", firstStartSeconds, 0);
        Checks.atLeast("restartSeconds", restartSeconds, 0);
        spec = spec.withoutContention();
    }

    @Override
    public ProgressRate progressRate(Configuration configuration, double doneSamples) {
        return new ProgressRate(Goodput.of(spec, configuration), spec.totalSamples(), true);
    }

    @Override
    public OptionalDouble stallSeconds(ChangeMechanism change) {
        return spec.supports(change) ? OptionalDouble.of(spec.stallSeconds(change)) : OptionalDouble.empty();
    }

    @Override
    public double startSeconds(boolean first) {
        return first ? firstStartSeconds : restartSeconds;
    }
}
