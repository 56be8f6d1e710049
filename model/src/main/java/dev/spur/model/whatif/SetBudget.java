package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;

/**
 * Another effort limit for the solver.
 *
 * @param gapTarget relative optimality gap at which the solver may stop
 * @param budget work and time limits of the solver
 */
public record SetBudget(double gapTarget, SolveBudget budget) implements Change {
    public SetBudget {
        Checks.atLeast("gapTarget", gapTarget, 0);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        return problem.withSettings(problem.settings().withEffort(gapTarget, budget));
    }

    @Override
    public String describe() {
        return "set the optimality gap target to %s".formatted(gapTarget);
    }
}
