package dev.spur.service.simulation;

import dev.spur.model.job.JobSpec;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;

/**
 * View of a past job: the specification before its first run, then the one after the measurements of its runs.
 *
 * @param before specification before the first run
 * @param after specification with measurements
 */
record LearnedView(JobSpec before, JobSpec after) implements PolicyViewModel {
    @Override
    public PolicyView after(RunHistory experience) {
        JobSpec spec = experience.ran().isEmpty() ? before : after;
        return new PolicyView(spec, Math.max(0, spec.totalSamples() - experience.doneSamples()));
    }
}
