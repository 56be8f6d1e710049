package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
import java.util.List;
import java.util.Optional;

/** Estimated seconds of a step on one accelerator type. */
interface StepModel {
    double stepSeconds(int nodes, int slots, double perDevice, int accumulation);

    /** Step-time estimates of a job by type. */
    interface ByType {
        /** Returns the step model on {@code type}; empty without information. */
        Optional<StepModel> on(String type);
    }

    /** Source of step-time estimates. */
    interface Learner {
        /**
         * Returns the estimates of a job.
         *
         * @param pastConfigurations configurations in which the job has run
         * @param familyConfigurations configurations in which its family has run
         */
        ByType after(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations);
    }
}
