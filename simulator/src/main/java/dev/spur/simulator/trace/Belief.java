package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;

/**
 * What a policy is told of a job.
 *
 * @param spec what the job asks for, with the profile and efficiency believed in
 * @param remainingSamples useful samples believed to be left, at least 0
 */
public record Belief(JobSpec spec, double remainingSamples) {
    public Belief {
        Checks.atLeast("remainingSamples", remainingSamples, 0);
    }
}
