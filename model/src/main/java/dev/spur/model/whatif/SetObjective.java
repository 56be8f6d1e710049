package dev.spur.model.whatif;

import dev.spur.model.objective.Objective;
import dev.spur.model.round.RoundProblem;

/**
 * Another objective.
 *
 * @param objective what a plan is worth
 */
public record SetObjective(Objective objective) implements Change {
    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        return problem.withSettings(problem.settings().withObjective(objective));
    }

    @Override
    public String words() {
        return "plan for " + objective.kind();
    }
}
