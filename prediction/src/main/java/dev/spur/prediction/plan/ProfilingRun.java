package dev.spur.prediction.plan;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.StepShape;

/**
 * A short run to measure a step time.
 *
 * @param acceleratorType type of all devices
 * @param shape shape of its steps
 * @param seconds duration, start and warm-up included, above 0
 * @param gain mean variance of the logarithms of step times that it removes, over all required shapes
 */
public record ProfilingRun(String acceleratorType, StepShape shape, double seconds, double gain) {
    public ProfilingRun {
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.positive("seconds", seconds);
        Checks.atLeast("gain", gain, 0);
    }

    /** Returns the cost of the run in slot-seconds. */
    public double slotSeconds() {
        return seconds * shape.slots();
    }
}
