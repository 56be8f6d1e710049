package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundProblem;

/**
 * A new priority of a job.
 *
 * @param job its id
 * @param priority its new priority
 */
public record SetPriority(String job, int priority) implements Change {
    public SetPriority {
        Checks.nonBlank("job", job);
        Checks.require(
                Math.abs(priority) <= JobSpec.MAX_PRIORITY,
                "priority (%s) must be from -%s to %s",
                priority,
                JobSpec.MAX_PRIORITY,
                JobSpec.MAX_PRIORITY);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        return JobEdit.inProblem(
                problem,
                withheldJobs,
                job,
                spec -> spec.edit().importance(spec.weight(), priority).build());
    }

    @Override
    public String describe() {
        return "set the priority of job %s to %d".formatted(job, priority);
    }
}
