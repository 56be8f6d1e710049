package dev.spur.simulator.eta;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.utility.Goodput;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.ProgressRate;
import dev.spur.simulator.trace.TraceJob;
import org.jspecify.annotations.Nullable;

/**
 * Ground truth of a job that does its remaining work as specified, but slower by a factor. A job with less work than
 * specified ends at the same time as a faster job, so one factor covers both.
 *
 * @param spec stated specification; contention is simulated
 * @param left effective samples left
 * @param stretch the factor, above 0
 */
record ScaledGroundTruth(JobSpec spec, double left, double stretch) implements GroundTruth {
    ScaledGroundTruth {
        spec = spec.withoutContention();
    }

    @Override
    public ProgressRate progressRate(Configuration configuration, double doneSamples) {
        return new ProgressRate(Goodput.of(spec, configuration) / stretch, left, true);
    }

    @Override
    public double startSeconds(boolean first) {
        return spec.restartPenaltySeconds();
    }

    /** Returns the job as a job of a trace; policies see the stated specification. */
    TraceJob asJob(String id, double arrival, String tenant, @Nullable Double deadline) {
        PolicyViewModel viewModel = had -> new PolicyView(spec, Math.max(0, left - had.doneSamples()));
        return new TraceJob(id, arrival, tenant, deadline, 1, 1, this, viewModel);
    }
}
