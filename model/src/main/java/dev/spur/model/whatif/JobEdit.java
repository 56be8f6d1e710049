package dev.spur.model.whatif;

import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.function.UnaryOperator;

/** Changes to the specification of one job. */
final class JobEdit {
    private JobEdit() {}

    /** Returns the problem with the specification of one job replaced. */
    static RoundProblem inProblem(
            RoundProblem problem, WithheldJobs withheldJobs, String id, UnaryOperator<JobSpec> edit) {
        new ChangeValidator(problem, withheldJobs).job(id).throwIfInvalid();
        List<Job> jobs = problem.jobs().stream()
                .map(job -> job.id().equals(id) ? job.withSpec(edit.apply(job.spec())) : job)
                .toList();
        return problem.withJobs(jobs);
    }
}
