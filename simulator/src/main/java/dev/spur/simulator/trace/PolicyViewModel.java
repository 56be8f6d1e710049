package dev.spur.simulator.trace;

import dev.spur.model.job.JobSpec;
import org.jspecify.annotations.Nullable;

/** What a policy is told of a job as the job gains experience. Without state of its own. */
public interface PolicyViewModel {
    /**
     * What is known after {@code experience}. Asked for each decision: parts that have not changed should be the same
     * objects.
     */
    PolicyView after(RunHistory experience);

    /** Name of the jobs that learn from each other what they run in; null if this one learns from no other. */
    default @Nullable String family() {
        return null;
    }

    /** All is known from the start, and the work left is what {@code spec} asks for less what is done. */
    static PolicyViewModel complete(JobSpec spec) {
        double total = spec.totalSamples();
        return experience -> new PolicyView(spec, Math.max(0, total - experience.doneSamples()));
    }
}
