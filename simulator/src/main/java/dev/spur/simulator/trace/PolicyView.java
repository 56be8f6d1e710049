package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import org.jspecify.annotations.Nullable;

/**
 * Information that a policy receives about a job.
 *
 * @param spec request of the job, with the estimated profile and statistical efficiency
 * @param remainingSamples estimated effective samples left, at least 0
 * @param profilingTarget shape in which the job is to be profiled now; null for none
 */
public record PolicyView(
        JobSpec spec, double remainingSamples, @Nullable ProfilingTarget profilingTarget) {
    public PolicyView {
        Checks.atLeast("remainingSamples", remainingSamples, 0);
    }

    /** Returns this view with another specification. */
    public PolicyView withSpec(JobSpec other) {
        return new PolicyView(other, remainingSamples, profilingTarget);
    }

    /** View of a job without a profiling target. */
    public PolicyView(JobSpec spec, double remainingSamples) {
        this(spec, remainingSamples, null);
    }
}
