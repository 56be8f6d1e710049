package dev.spur.prediction.plan;

import dev.spur.model.Checks;

/**
 * The budget of profiling.
 *
 * @param slotSeconds slot-seconds of all runs together, at least 0
 * @param startSeconds seconds of a run before the first warm step, at least 0
 * @param steps warm steps to measure, at least 1
 */
public record ProfilingBudget(double slotSeconds, double startSeconds, int steps) {
    public ProfilingBudget {
        Checks.atLeast("slotSeconds", slotSeconds, 0);
        Checks.atLeast("startSeconds", startSeconds, 0);
        Checks.atLeast("steps", steps, 1);
    }

    /** Returns the remaining budget after {@code run}. */
    public ProfilingBudget after(ProfilingRun run) {
        return new ProfilingBudget(Math.max(0, slotSeconds - run.slotSeconds()), startSeconds, steps);
    }
}
