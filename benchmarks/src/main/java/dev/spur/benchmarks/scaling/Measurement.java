package dev.spur.benchmarks.scaling;

import dev.spur.model.round.RoundPlan;

/**
 * Measurement of one method on one round.
 *
 * @param method name of the method
 * @param seconds time from the instance in memory to the validated plan; median of several runs
 * @param validationSeconds time of the plan validator in the last run
 * @param peakMib peak memory, MiB; maximum of the runs
 * @param plan plan of the last run
 */
public record Measurement(String method, double seconds, double validationSeconds, long peakMib, RoundPlan plan) {
    /** Returns the relative gap between the plan's objective value and {@code bound}; 0 if the plan reaches it. */
    public double gapTo(double bound) {
        double open = bound - plan.quality().objectiveValue();
        return open <= 0 ? 0 : open / Math.abs(bound);
    }

    /**
     * Returns the improvement: the fraction of the gap between the repaired last plan and {@code bound} that the plan
     * closes; 1 if that gap is 0.
     */
    public double improvementTo(double bound) {
        double before = plan.quality().fallbackObjectiveValue();
        double possible = bound - before;
        return possible <= 0 ? 1 : (plan.quality().objectiveValue() - before) / possible;
    }
}
