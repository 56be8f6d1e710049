package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import java.util.List;

/**
 * A job that no round is shown before its data are there.
 *
 * @param job as a round would see it
 * @param preparations ids of the preparations that must be done before, at least one
 */
public record BlockedJob(Job job, List<String> preparations) {
    public BlockedJob {
        preparations = Checks.copy(preparations);
        Checks.require(!preparations.isEmpty(), "job %s depends on nothing", job.id());
    }
}
