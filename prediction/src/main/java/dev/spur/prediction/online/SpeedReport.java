package dev.spur.prediction.online;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.StepShape;

/**
 * How fast a job ran lately.
 *
 * @param acceleratorType type of all its devices
 * @param shape how it ran
 * @param stepSeconds seconds of a step: median or mean of those measured, above 0
 * @param steps steps measured, at least 1
 * @param start how many times the job had started by then, at least 1: the first report of a start may hold steps
 *     slowed by loading
 */
public record SpeedReport(String acceleratorType, StepShape shape, double stepSeconds, long steps, int start) {
    public SpeedReport {
        Checks.named("acceleratorType", acceleratorType);
        Checks.positive("stepSeconds", stepSeconds);
        Checks.require(steps >= 1, "steps (%s) must be at least 1", steps);
        Checks.atLeast("start", start, 1);
    }
}
