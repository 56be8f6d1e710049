package dev.spur.benchmarks.scaling;

import dev.spur.model.round.RoundPlan;

/**
 * How one way to plan did on one round.
 *
 * @param method name of the way
 * @param seconds from the problem in memory to the plan that the judge has passed; the median of several runs
 * @param judgeSeconds part of the last run that the judge took
 * @param peakMib most memory held, mebibytes; the largest of the runs
 * @param plan the plan of the last run
 */
public record Measurement(String method, double seconds, double judgeSeconds, long peakMib, RoundPlan plan) {
    /** Distance of the plan's worth from {@code bound}, relative to it; 0 if the plan reaches it. */
    public double gapTo(double bound) {
        double open = bound - plan.quality().objectiveValue();
        return open <= 0 ? 0 : open / Math.abs(bound);
    }

    /** The share of what {@code bound} says could be improved over the repaired last plan; 1 if that is nothing. */
    public double improvementTo(double bound) {
        double before = plan.quality().fallbackObjectiveValue();
        double possible = bound - before;
        return possible <= 0 ? 1 : (plan.quality().objectiveValue() - before) / possible;
    }
}
