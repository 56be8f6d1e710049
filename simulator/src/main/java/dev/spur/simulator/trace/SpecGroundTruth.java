package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.utility.Goodput;

/**
 * The truth of a job that runs exactly as its spec says: by its profile and its efficiency, at the batch size of the
 * configuration, to the end of its work.
 *
 * @param spec what is true
 * @param firstStartSeconds seconds from the first slots to the first progress
 * @param restartSeconds seconds from later slots to progress
 */
public record SpecGroundTruth(JobSpec spec, double firstStartSeconds, double restartSeconds) implements GroundTruth {
    public SpecGroundTruth {
        Checks.atLeast("firstStartSeconds", firstStartSeconds, 0);
        Checks.atLeast("restartSeconds", restartSeconds, 0);
    }

    @Override
    public ProgressRate pace(Configuration configuration, double doneSamples) {
        return new ProgressRate(Goodput.of(spec, configuration), spec.totalSamples(), true);
    }

    @Override
    public double startSeconds(boolean first) {
        return first ? firstStartSeconds : restartSeconds;
    }
}
