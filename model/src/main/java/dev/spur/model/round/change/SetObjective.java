package dev.spur.model.round.change;

import dev.spur.model.objective.Objective;
import dev.spur.model.round.RoundProblem;

/**
 * Another objective.
 *
 * @param objective what a plan is worth
 */
public record SetObjective(Objective objective) implements Change {
    @Override
    public RoundProblem applyTo(RoundProblem problem, HeldBack held) {
        return problem.withSettings(problem.settings().withObjective(objective));
    }

    @Override
    public String words() {
        return "plan for " + objective.kind();
    }
}
