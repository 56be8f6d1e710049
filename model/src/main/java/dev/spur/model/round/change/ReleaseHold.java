package dev.spur.model.round.change;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.ArrayList;
import java.util.List;

/**
 * A job that is held back is offered again.
 *
 * @param job its id
 */
public record ReleaseHold(String job) implements Change {
    public ReleaseHold {
        Checks.named("job", job);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, List<Job> held) {
        Checks.require(!JobEdit.has(problem, job), "job %s is not held", job);
        List<Job> jobs = new ArrayList<>(problem.jobs());
        jobs.add(held.stream()
                .filter(other -> other.id().equals(job))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("job %s is not held".formatted(job))));
        return problem.withJobs(jobs);
    }

    @Override
    public String words() {
        return "release job " + job;
    }
}
