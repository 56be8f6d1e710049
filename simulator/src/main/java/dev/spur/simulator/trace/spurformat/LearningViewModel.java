package dev.spur.simulator.trace.spurformat;

import dev.spur.model.job.JobSpec;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;

/**
 * View model of jobs whose speeds are known and whose stalls are learned, together with the other jobs of their model.
 *
 * @param spec specification with the assumed stalls
 * @param family name of the model
 */
record LearningViewModel(JobSpec spec, String family) implements PolicyViewModel {
    @Override
    public PolicyView after(RunHistory history) {
        return PolicyViewModel.complete(spec).after(history);
    }

    @Override
    public boolean learnsStalls() {
        return true;
    }
}
