package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Configuration;
import java.util.List;
import java.util.Optional;

/** Seconds of a step on one accelerator type, as a job believes. */
interface StepModel {
    double stepSeconds(int nodes, int slots, double perDevice, int accumulation);

    /** What a job believes of each type. */
    interface ByType {
        /** Empty if nothing is known of {@code type}. */
        Optional<StepModel> on(String type);
    }

    /** How jobs come to believe it. */
    interface Learner {
        /**
         * What is believed by a job that has run in all of {@code ran}, and whose family has run in all of {@code kin}.
         */
        ByType after(List<Configuration> ran, List<Configuration> kin);
    }
}
