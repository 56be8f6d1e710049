package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import org.jspecify.annotations.Nullable;

/**
 * What a policy is told of a job.
 *
 * @param spec what the job asks for, with the profile and efficiency believed in
 * @param remainingSamples effective samples believed to be left, at least 0
 * @param profilingTarget shape in which the job is to be measured now; null for none
 */
public record PolicyView(
        JobSpec spec, double remainingSamples, @Nullable ProfilingTarget profilingTarget) {
    public PolicyView {
        Checks.atLeast("remainingSamples", remainingSamples, 0);
    }

    /** What is told of a job that is not to be measured. */
    public PolicyView(JobSpec spec, double remainingSamples) {
        this(spec, remainingSamples, null);
    }
}
