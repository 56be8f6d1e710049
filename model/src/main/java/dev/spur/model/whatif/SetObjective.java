package dev.spur.model.whatif;

import dev.spur.model.objective.Objective;
import dev.spur.model.round.RoundProblem;

/**
 * Another objective.
 *
 * @param objective the objective of the plan
 */
public record SetObjective(Objective objective) implements Change {
    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        return problem.withSettings(problem.settings().withObjective(objective));
    }

    @Override
    public String describe() {
        return "set the objective to " + objective.kind();
    }
}
