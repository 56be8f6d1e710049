package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import java.util.List;

/**
 * Jobs and preparations that are withheld from scheduling and therefore not part of a problem, in the form that they
 * have in the problem after their release.
 *
 * @param jobs jobs held by their owners, in backoff after a failure, or with unfinished dependencies
 * @param preparations preparations held by their owners, or in backoff after a failure
 */
public record WithheldJobs(List<Job> jobs, List<Preparation> preparations) {
    /** No withheld jobs. */
    public static final WithheldJobs NOTHING = new WithheldJobs(List.of(), List.of());

    public WithheldJobs {
        jobs = Checks.copy(jobs);
        preparations = Checks.copy(preparations);
    }
}
