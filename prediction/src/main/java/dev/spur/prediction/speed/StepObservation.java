package dev.spur.prediction.speed;

import dev.spur.model.Checks;

/**
 * A measured step.
 *
 * @param shape shape of the step
 * @param stepSeconds duration in seconds, above 0
 * @param weight reliability, in (0, 1]: 1 for a fresh measurement over many steps, less for an old one or one over few
 *     steps. The noise variance is divided by this weight
 */
public record StepObservation(StepShape shape, double stepSeconds, double weight) {
    public StepObservation {
        Checks.positive("stepSeconds", stepSeconds);
        Checks.require(weight > 0 && weight <= 1, "weight (%s) must be in (0, 1]", weight);
    }

    /** Returns a fresh measurement. */
    public static StepObservation of(StepShape shape, double stepSeconds) {
        return new StepObservation(shape, stepSeconds, 1);
    }
}
