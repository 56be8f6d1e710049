package dev.spur.model.round.change;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.function.UnaryOperator;

/** Copies of jobs in which one thing differs. */
final class JobEdit {
    private JobEdit() {}

    /** The problem with the specification of one job replaced. */
    static RoundProblem inProblem(RoundProblem problem, String id, UnaryOperator<JobSpec> edit) {
        require(problem, id);
        List<Job> jobs = problem.jobs().stream()
                .map(job -> job.id().equals(id) ? job.withSpec(edit.apply(job.spec())) : job)
                .toList();
        return problem.withJobs(jobs);
    }

    static void require(RoundProblem problem, String id) {
        Checks.require(has(problem, id), "job %s does not exist or has ended", id);
    }

    static boolean has(RoundProblem problem, String id) {
        return problem.jobs().stream().anyMatch(job -> job.id().equals(id));
    }
}
