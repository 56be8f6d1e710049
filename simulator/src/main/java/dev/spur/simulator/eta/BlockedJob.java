package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import java.util.List;

/**
 * Job that is not part of rounds until its data are prepared.
 *
 * @param job job as a round will see it
 * @param preparations ids of the preparations that must end first, at least one
 */
public record BlockedJob(Job job, List<String> preparations) {
    public BlockedJob {
        preparations = Checks.copy(preparations);
        Checks.require(!preparations.isEmpty(), "Job %s must depend on at least one preparation", job.id());
    }
}
