package dev.spur.prediction.family;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.StepShape;

/**
 * The step time of a family in one shape.
 *
 * @param acceleratorType type of all devices used
 * @param shape shape of the step
 * @param stepSeconds geometric mean over jobs, above 0
 * @param jobs effective number of jobs in the mean, in which earlier jobs have less weight; above 0
 */
public record FamilyStep(String acceleratorType, StepShape shape, double stepSeconds, double jobs) {
    /** Maximum effective number of jobs, so that new software takes effect. */
    static final double MAX_JOBS = 10;

    public FamilyStep {
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.positive("stepSeconds", stepSeconds);
        Checks.positive("jobs", jobs);
    }

    /** Returns this step with one more job that took {@code seconds}, with the given {@code weight}. */
    FamilyStep and(double seconds, double weight) {
        double before = Math.min(jobs, MAX_JOBS);
        double part = weight / (before + weight);
        double mean = Math.exp((1 - part) * Math.log(stepSeconds) + part * Math.log(seconds));
        return new FamilyStep(acceleratorType, shape, mean, before + weight);
    }

    boolean isOf(String type, StepShape other) {
        return acceleratorType.equals(type) && shape.equals(other);
    }
}
