package dev.spur.simulator.trace;

import dev.spur.model.job.JobSpec;
import org.jspecify.annotations.Nullable;

/**
 * Model of the information that a policy receives about a job, as a function of the job's run history. Implementations
 * have no mutable state.
 */
public interface PolicyViewModel {
    /**
     * Returns the view after {@code history}. It is called for each decision: parts that have not changed should be the
     * same objects.
     */
    PolicyView after(RunHistory history);

    /**
     * Returns the name of the job family whose members share their observations; null if the job uses its own
     * observations only.
     */
    default @Nullable String family() {
        return null;
    }

    /**
     * Returns true if policies learn the stalls of changes from the simulated ones, as rounds of the service learn from
     * measured ones; false if they know or assume them.
     */
    default boolean learnsStalls() {
        return false;
    }

    /**
     * Returns a view model with complete information: the profile of {@code spec}, and its samples minus those done.
     */
    static PolicyViewModel complete(JobSpec spec) {
        double total = spec.totalSamples();
        return history -> new PolicyView(spec, Math.max(0, total - history.doneSamples()));
    }
}
