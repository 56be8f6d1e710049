package dev.spur.simulator.testing;

import dev.spur.model.allocation.Configuration;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.ProgressRate;

/**
 * A job that does {@code perSlot} samples/s on each slot until it has done half its work, and {@code laterPerSlot}
 * after.
 */
public record TestGroundTruth(
        double work, double perSlot, double laterPerSlot, double firstSeconds, double againSeconds, boolean tunesBatch)
        implements GroundTruth {

    /** One sample a second on each slot, at once, and 30 s after a change. */
    public static TestGroundTruth of(double work) {
        return new TestGroundTruth(work, 1, 1, 0, 30, false);
    }

    @Override
    public ProgressRate progressRate(Configuration configuration, double doneSamples) {
        return doneSamples < work / 2
                ? new ProgressRate(perSlot * configuration.slots(), work / 2, false)
                : new ProgressRate(laterPerSlot * configuration.slots(), work, true);
    }

    @Override
    public double startSeconds(boolean first) {
        return first ? firstSeconds : againSeconds;
    }
}
