package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobDependency;
import java.util.List;

/**
 * Job that is not part of rounds until its dependencies are met.
 *
 * @param job job as a round will see it
 * @param dependencies unmet dependencies, at least one
 */
public record BlockedJob(Job job, List<JobDependency> dependencies) {
    public BlockedJob {
        dependencies = Checks.copy(dependencies);
        Checks.require(!dependencies.isEmpty(), "Job %s must have at least one dependency", job.id());
    }
}
