package dev.spur.model.job;

import dev.spur.model.Checks;

/**
 * Dependency of a job on another one: no round starts the job before the condition is met.
 *
 * @param job id of the other job
 * @param when condition on it
 */
public record JobDependency(String job, DependencyCondition when) {
    public JobDependency {
        Checks.nonBlank("job", job);
    }
}
