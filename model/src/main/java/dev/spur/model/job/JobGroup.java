package dev.spur.model.job;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that share a cap, such as the trials of a hyperparameter search. A job names its group; the group does not list
 * its jobs.
 *
 * @param name unique name
 * @param tenant name of the tenant whose jobs, and those of its descendants, may name the group
 * @param maxSlots maximum slots that its jobs hold together, of any type; null for no limit
 * @param maxJobs maximum number of its jobs that run at the same time; null for no limit
 */
public record JobGroup(
        String name,
        String tenant,
        @Nullable Integer maxSlots,
        @Nullable Integer maxJobs) {
    public JobGroup {
        Checks.nonBlank("name", name);
        Checks.nonBlank("tenant", tenant);
        Checks.require(maxSlots == null || maxSlots >= 0, "maxSlots (%s) must be at least 0", maxSlots);
        Checks.require(maxJobs == null || maxJobs >= 0, "maxJobs (%s) must be at least 0", maxJobs);
    }
}
