package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.stream.Stream;

/**
 * The release of a withheld job to the scheduler. Unfinished dependencies are treated as finished.
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
                .require(!released.isEmpty(), "/job", "job %s is not withheld from scheduling", job)
                .throwIfInvalid();
        return problem.withJobs(
                Stream.concat(problem.jobs().stream(), released.stream()).toList());
    }

    @Override
    public String describe() {
        return "release job " + job;
    }
}
