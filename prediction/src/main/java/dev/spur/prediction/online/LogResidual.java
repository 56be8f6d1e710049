package dev.spur.prediction.online;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.StepShape;

/**
 * The residual of a report relative to its prediction.
 *
 * @param acceleratorType type of all devices
 * @param shape shape of the step
 * @param log logarithm of the reported seconds over the predicted ones
 */
public record LogResidual(String acceleratorType, StepShape shape, double log) {
    public LogResidual {
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.require(Double.isFinite(log), "log (%s) must be finite", log);
    }

    /** Returns true if {@code other} is of the same type and shape. */
    boolean isOfShapeOf(LogResidual other) {
        return acceleratorType.equals(other.acceleratorType) && shape.equals(other.shape);
    }

    /** Returns the residual of a step that took {@code seconds} and was predicted to take {@code expected}. */
    public static LogResidual of(String acceleratorType, StepShape shape, double seconds, double expected) {
        return new LogResidual(acceleratorType, shape, Math.log(seconds / expected));
    }
}
