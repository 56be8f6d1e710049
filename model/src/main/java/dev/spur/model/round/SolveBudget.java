package dev.spur.model.round;

import dev.spur.model.Checks;

/**
 * How much a solve may spend. Work is counted in the solver's deterministic units, so that the same round ends at the
 * same plan on every machine; the clock is a limit behind it.
 *
 * @param work deterministic work units, about a second each on one core; above 0
 * @param wallSeconds seconds on the clock, above 0; a round cut by it is marked
 * @param workers solver threads; more than one are interleaved, which keeps the plan reproducible
 * @param seed seed of every random choice
 */
public record SolveBudget(double work, double wallSeconds, int workers, int seed) {
    /** Enough for a round of some hundred jobs. */
    public static final SolveBudget DEFAULT = new SolveBudget(10, 20, 1, 1);

    public SolveBudget {
        Checks.positive("work", work);
        Checks.positive("wallSeconds", wallSeconds);
        Checks.atLeast("workers", workers, 1);
    }
}
