package dev.spur.model.round.change;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.List;

/**
 * One job less.
 *
 * @param job its id
 */
public record RemoveJob(String job) implements Change {
    public RemoveJob {
        Checks.named("job", job);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, List<Job> held) {
        JobEdit.require(problem, job);
        return problem.withJobs(
                problem.jobs().stream().filter(other -> !other.id().equals(job)).toList());
    }

    @Override
    public String words() {
        return "remove job " + job;
    }
}
