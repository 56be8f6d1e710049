package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.stream.Stream;

/**
 * A job that is held back is offered again, also one that awaits data, as if these were there.
 *
 * @param job its id
 */
public record ReleaseHold(String job) implements Change {
    public ReleaseHold {
        Checks.named("job", job);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        List<Job> released = held.jobs().stream()
                .filter(other -> other.id().equals(job))
                .filter(other -> !NamedLists.has(problem.jobs(), Job::id, job))
                .toList();
        new ChangeValidator(problem, held)
                .require(!released.isEmpty(), "/job", "job %s is not held", job)
                .demand();
        return problem.withJobs(
                Stream.concat(problem.jobs().stream(), released.stream()).toList());
    }

    @Override
    public String words() {
        return "release job " + job;
    }
}
