package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundProblem;

/**
 * Other limits on the slots of a job.
 *
 * @param job its id
 * @param minSlots minimum slots, at least 1
 * @param maxSlots maximum slots, at least {@code minSlots}
 */
public record SetElasticity(String job, int minSlots, int maxSlots) implements Change {
    public SetElasticity {
        Checks.nonBlank("job", job);
        Checks.atLeast("minSlots", minSlots, 1);
        Checks.require(maxSlots >= minSlots, "maxSlots (%s) must be at least minSlots (%s)", maxSlots, minSlots);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        return JobEdit.inProblem(problem, withheldJobs, job, this::limit);
    }

    private JobSpec limit(JobSpec spec) {
        return spec.edit()
                .elasticity(spec.elasticity().withSlots(minSlots, maxSlots))
                .build();
    }

    @Override
    public String describe() {
        return "let job %s run on %d to %d slots".formatted(job, minSlots, maxSlots);
    }
}
