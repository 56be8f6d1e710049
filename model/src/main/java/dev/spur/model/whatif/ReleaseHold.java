package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The release of a withheld training job or data preparation to the scheduler. Unfinished dependencies are treated as
 * finished.
 *
 * @param job its id
 */
public record ReleaseHold(String job) implements Change {
    public ReleaseHold {
        Checks.nonBlank("job", job);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        List<Job> jobs = release(problem.jobs(), withheldJobs.jobs(), Job::id);
        List<Preparation> preparations = release(problem.preparations(), withheldJobs.preparations(), Preparation::id);
        new ChangeValidator(problem, withheldJobs)
                .require(
                        !jobs.isEmpty() || !preparations.isEmpty(),
                        "/job",
                        "job %s is not withheld from scheduling",
                        job)
                .throwIfInvalid();
        return problem.withJobs(concat(problem.jobs(), jobs))
                .withPreparations(concat(problem.preparations(), preparations));
    }

    private <T> List<T> release(List<T> active, List<T> withheld, Function<T, String> id) {
        return withheld.stream()
                .filter(other -> id.apply(other).equals(job))
                .filter(other -> !NamedLists.has(active, id, job))
                .toList();
    }

    private static <T> List<T> concat(List<T> some, List<T> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    @Override
    public String describe() {
        return "release job " + job;
    }
}
