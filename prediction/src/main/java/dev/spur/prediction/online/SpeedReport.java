package dev.spur.prediction.online;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.StepShape;

/**
 * A report of the recent speed of a job.
 *
 * @param acceleratorType type of all its devices
 * @param shape shape of its steps
 * @param stepSeconds seconds of a step: median or mean of the measured steps, above 0
 * @param steps measured steps, at least 1
 * @param start number of starts of the job so far, at least 1; the first report of a start may contain steps slowed by
 *     data loading
 */
public record SpeedReport(String acceleratorType, StepShape shape, double stepSeconds, long steps, int start) {
    public SpeedReport {
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.positive("stepSeconds", stepSeconds);
        Checks.require(steps >= 1, "steps (%s) must be at least 1", steps);
        Checks.atLeast("start", start, 1);
    }

    /** Returns the seconds of training that the report covers. */
    public double seconds() {
        return steps * stepSeconds;
    }
}
