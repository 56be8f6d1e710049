package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Probe;
import org.jspecify.annotations.Nullable;

/**
 * What a policy is told of a job.
 *
 * @param spec what the job asks for, with the profile and efficiency believed in
 * @param remainingSamples useful samples believed to be left, at least 0
 * @param probe shape in which the job is to be measured now; null for none
 */
public record Belief(
        JobSpec spec, double remainingSamples, @Nullable Probe probe) {
    public Belief {
        Checks.atLeast("remainingSamples", remainingSamples, 0);
    }

    /** What is told of a job that is not to be measured. */
    public Belief(JobSpec spec, double remainingSamples) {
        this(spec, remainingSamples, null);
    }
}
