package dev.spur.benchmarks.scaling;

import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.StepTime;
import java.util.List;

/**
 * Measurement of one run of a method on a round.
 *
 * @param candidates candidates of all jobs
 * @param seconds time from the instance in memory to the validated plan
 * @param peakMib peak memory, MiB
 * @param quality quality of the plan
 * @param steps times of the solver's steps and of the validation
 */
public record Measurement(int candidates, double seconds, long peakMib, SolutionQuality quality, List<StepTime> steps) {
    public Measurement {
        steps = List.copyOf(steps);
    }

    /** Returns the relative gap between the plan's objective value and {@code bound}; 0 if the plan reaches it. */
    public double gapTo(double bound) {
        double open = bound - quality.objectiveValue();
        return open <= 0 ? 0 : open / Math.abs(bound);
    }

    /**
     * Returns the improvement: the fraction of the gap between the repaired last plan and {@code bound} that the plan
     * closes; 1 if that gap is 0.
     */
    public double improvementTo(double bound) {
        double before = quality.fallbackObjectiveValue();
        double possible = bound - before;
        return possible <= 0 ? 1 : (quality.objectiveValue() - before) / possible;
    }
}
