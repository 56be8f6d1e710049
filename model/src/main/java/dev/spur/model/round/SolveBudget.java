package dev.spur.model.round;

import dev.spur.model.Checks;

/**
 * The limits of a solve. Work is measured in the solver's deterministic units, so that the same round has the same plan
 * on every machine. The wall-clock limit is a safeguard.
 *
 * @param work deterministic work units of each solver thread, about one second each on one core; above 0
 * @param wallSeconds wall-clock limit in seconds, above 0; the status of a round that reaches it is TIME_LIMIT
 * @param workers solver threads; several threads are interleaved, which keeps the plan reproducible
 * @param seed seed of every random choice
 */
public record SolveBudget(double work, double wallSeconds, int workers, int seed) {
    /** Sufficient for a round of several hundred jobs. */
    public static final SolveBudget DEFAULT = new SolveBudget(10, 20, 1, 1);

    public SolveBudget {
        Checks.positive("work", work);
        Checks.positive("wallSeconds", wallSeconds);
        Checks.atLeast("workers", workers, 1);
    }

    /** Returns the same limits for one thread. */
    public SolveBudget withOneWorker() {
        return new SolveBudget(work, wallSeconds, 1, seed);
    }
}
