package dev.spur.benchmarks.reality;

import dev.spur.model.Checks;
import dev.spur.model.round.SolveBudget;

/**
 * Effort of a decision of Spur's own policies. It is limited by work, so that a scenario has the same result on each
 * machine; the time limit is far above it.
 *
 * @param gap optimality gap at which a decision may stop, at least 0
 * @param work budget in deterministic units of the solver, above 0
 */
public record DecisionEffort(double gap, double work) {
    private static final double WALL_SECONDS = 600;

    public DecisionEffort {
        Checks.atLeast("gap", gap, 0);
        Checks.positive("work", work);
    }

    SolveBudget budget() {
        return new SolveBudget(work, WALL_SECONDS, 1, 1);
    }
}
