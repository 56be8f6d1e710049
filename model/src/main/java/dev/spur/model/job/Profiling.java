package dev.spur.model.job;

import dev.spur.model.Checks;

/**
 * What an owner lets a job be measured for: short runs in shapes that it would not get otherwise.
 *
 * @param slotSeconds slot-seconds of all these runs together, above 0; the last one may exceed them by what passes
 *     between two rounds
 */
public record Profiling(double slotSeconds) {
    public Profiling {
        Checks.positive("slotSeconds", slotSeconds);
    }
}
