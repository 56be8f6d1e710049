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
public record Surprise(String acceleratorType, StepShape shape, double log) {
    public Surprise {
        Checks.named("acceleratorType", acceleratorType);
        Checks.require(Double.isFinite(log), "log (%s) must be finite", log);
    }

    static Surprise of(SpeedReport report, double expectedSeconds) {
        return new Surprise(report.acceleratorType(), report.shape(), Math.log(report.stepSeconds() / expectedSeconds));
    }
}
