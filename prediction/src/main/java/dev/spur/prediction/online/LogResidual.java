package dev.spur.prediction.online;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.StepShape;

/**
 * A report beside what was expected.
 *
 * @param acceleratorType type of all devices
 * @param shape how the job ran
 * @param log logarithm of the reported seconds over the expected ones
 */
public record LogResidual(String acceleratorType, StepShape shape, double log) {
    public LogResidual {
        Checks.named("acceleratorType", acceleratorType);
        Checks.require(Double.isFinite(log), "log (%s) must be finite", log);
    }

    /** A step that took {@code seconds} where {@code expected} were foretold. */
    public static LogResidual of(String acceleratorType, StepShape shape, double seconds, double expected) {
        return new LogResidual(acceleratorType, shape, Math.log(seconds / expected));
    }
}
