package dev.spur.simulator.forecast;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import java.util.List;

/**
 * A job that no round is shown before its data are there.
 *
 * @param job as a round would see it
 * @param preparations ids of the preparations that must be done before, at least one
 */
public record Awaiting(Job job, List<String> preparations) {
    public Awaiting {
        preparations = Checks.copy(preparations);
        Checks.require(!preparations.isEmpty(), "job %s awaits nothing", job.id());
    }
}
