package dev.spur.prediction.plan;

import dev.spur.model.Checks;
import dev.spur.prediction.speed.StepShape;

/**
 * A short run whose step time is to be measured.
 *
 * @param acceleratorType type of all devices
 * @param shape how it runs
 * @param seconds how long, start and warm-up included, above 0
 * @param gain mean variance of the logarithms of step times that it takes away, over all shapes asked for
 */
public record ProfilingRun(String acceleratorType, StepShape shape, double seconds, double gain) {
    public ProfilingRun {
        Checks.named("acceleratorType", acceleratorType);
        Checks.positive("seconds", seconds);
        Checks.atLeast("gain", gain, 0);
    }

    /** What it costs. */
    public double slotSeconds() {
        return seconds * shape.slots();
    }
}
