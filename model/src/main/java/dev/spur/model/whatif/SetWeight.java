package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundProblem;

/**
 * A new weight of a job.
 *
 * @param job its id
 * @param weight its new weight
 */
public record SetWeight(String job, double weight) implements Change {
    public SetWeight {
        Checks.nonBlank("job", job);
        Checks.positive("weight", weight);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        return JobEdit.inProblem(
                problem,
                withheldJobs,
                job,
                spec -> spec.edit().importance(weight, spec.priority()).build());
    }

    @Override
    public String describe() {
        return "set the weight of job %s to %s".formatted(job, weight);
    }
}
