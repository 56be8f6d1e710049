package dev.spur.simulator.trace;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Simulated behavior of a job. Implementations have no mutable state, so several replays may share one. Progress counts
 * effective samples, that is samples at the job's initial batch size; it starts at 0.
 */
public interface GroundTruth {
    /**
     * Returns the progress rate from {@code doneSamples} on while the job holds {@code configuration}. For a job that
     * {@linkplain #tunesBatch() tunes its batch size}, the batch size of the configuration is ignored.
     *
     * @param doneSamples progress so far, at least 0
     */
    ProgressRate progressRate(Configuration configuration, double doneSamples);

    /**
     * Returns the configuration in which the job runs while it holds {@code heldConfiguration}. It differs from
     * {@code heldConfiguration} only in the batch size that the job chooses itself.
     *
     * @param doneSamples progress so far, at least 0
     */
    default Configuration running(Configuration heldConfiguration, double doneSamples) {
        return heldConfiguration;
    }

    /**
     * Returns the ground truth of the same job after observations. Only jobs that tune their batch size from
     * observations return another object than this one. Equal lists return the same object.
     *
     * @param pastConfigurations configurations in which the job has run
     * @param familyConfigurations configurations in which its family has run, as far as the job has observed
     */
    default GroundTruth after(List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {
        return this;
    }

    /**
     * Returns the seconds from the assignment of slots to the first progress.
     *
     * @param first true for the first start of the job, false for each start after a change of configuration or nodes
     */
    double startSeconds(boolean first);

    /**
     * Returns the stall of a change without a restart, in seconds; empty if it is the one that policies assume at
     * first.
     */
    default OptionalDouble stallSeconds(ChangeMechanism change) {
        return OptionalDouble.empty();
    }

    /**
     * Returns true if the job chooses its batch size itself while it runs, without a restart. Adaptive jobs do (Pollux,
     * OSDI '21).
     */
    default boolean tunesBatch() {
        return false;
    }
}
