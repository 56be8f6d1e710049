package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import java.util.List;

/**
 * What is held back from rounds and therefore not part of a problem, each as the problem shows it once it is offered
 * again.
 *
 * @param jobs those held by their owners, those that pause after a failure, and those that await data
 * @param preparations those held by their owners, and those that pause after a failure
 */
public record WithheldJobs(List<Job> jobs, List<Preparation> preparations) {
    /** Nothing is. */
    public static final WithheldJobs NOTHING = new WithheldJobs(List.of(), List.of());

    public WithheldJobs {
        jobs = Checks.copy(jobs);
        preparations = Checks.copy(preparations);
    }
}
