package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobDependency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Job that is not part of rounds until a time has come and its dependencies are met.
 *
 * @param job job as a round will see it
 * @param notBefore time before which no round starts it, seconds since 1970; null for none
 * @param dependencies unmet dependencies, at least one without a time
 */
public record BlockedJob(Job job, @Nullable Double notBefore, List<JobDependency> dependencies) {
    public BlockedJob {
        dependencies = Checks.copy(dependencies);
        Checks.require(
                notBefore != null || !dependencies.isEmpty(), "Job %s must wait for a time or another job", job.id());
    }

    /** Returns the time before which it does not arrive, from {@code now} on. */
    double earliest(double now) {
        return notBefore == null ? now : Math.max(now, notBefore);
    }
}
