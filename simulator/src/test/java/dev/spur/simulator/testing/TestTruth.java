package dev.spur.simulator.testing;

import dev.spur.model.allocation.Configuration;
import dev.spur.simulator.trace.Pace;
import dev.spur.simulator.trace.Truth;

/** A job that does {@code perSlot} samples/s on each slot until it has done half its work, and {@code laterPerSlot} after. */
public record TestTruth(
        double work, double perSlot, double laterPerSlot, double firstSeconds, double againSeconds, boolean tunesBatch)
        implements Truth {

    /** One sample a second on each slot, at once, and 30 s after a change. */
    public static TestTruth of(double work) {
        return new TestTruth(work, 1, 1, 0, 30, false);
    }

    @Override
    public Pace pace(Configuration configuration, double doneSamples) {
        return doneSamples < work / 2
                ? new Pace(perSlot * configuration.slots(), work / 2, false)
                : new Pace(laterPerSlot * configuration.slots(), work, true);
    }

    @Override
    public double startSeconds(boolean first) {
        return first ? firstSeconds : againSeconds;
    }
}
