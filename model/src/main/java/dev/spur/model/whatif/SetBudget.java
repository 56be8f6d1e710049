package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;

/**
 * More or less effort of the solve.
 *
 * @param gapTarget relative gap at which it may stop
 * @param budget how much it may spend
 */
public record SetBudget(double gapTarget, SolveBudget budget) implements Change {
    public SetBudget {
        Checks.atLeast("gapTarget", gapTarget, 0);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        return problem.withSettings(problem.settings().withEffort(gapTarget, budget));
    }

    @Override
    public String words() {
        return "solve to a gap of %s".formatted(gapTarget);
    }
}
