package dev.spur.prediction.family;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.StepShape;

/**
 * How long steps of a family take in one shape.
 *
 * @param acceleratorType type of all devices used
 * @param shape how they ran
 * @param stepSeconds geometric mean over jobs, above 0
 * @param jobs jobs in the mean, later ones counting fully and earlier ones less and less; above 0
 */
public record FamilyStep(String acceleratorType, StepShape shape, double stepSeconds, double jobs) {
    /** Beyond so many jobs the past fades, so that new software shows. */
    static final double MOST_JOBS = 10;

    public FamilyStep {
        Checks.named("acceleratorType", acceleratorType);
        Checks.positive("stepSeconds", stepSeconds);
        Checks.positive("jobs", jobs);
    }

    /** With one more job that took {@code seconds}, believed as far as {@code weight} says. */
    FamilyStep and(double seconds, double weight) {
        double before = Math.min(jobs, MOST_JOBS);
        double part = weight / (before + weight);
        double mean = Math.exp((1 - part) * Math.log(stepSeconds) + part * Math.log(seconds));
        return new FamilyStep(acceleratorType, shape, mean, before + weight);
    }

    boolean isOf(String type, StepShape other) {
        return acceleratorType.equals(type) && shape.equals(other);
    }
}
