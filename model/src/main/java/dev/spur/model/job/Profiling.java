package dev.spur.model.job;

import dev.spur.model.Checks;

/**
 * The budget of a job's profiling runs: short runs in configurations that the job would not get otherwise.
 *
 * @param slotSeconds slot-seconds of all profiling runs together, above 0; the last run may exceed them by the time
 *     between two rounds
 */
public record Profiling(double slotSeconds) {
    public Profiling {
        Checks.positive("slotSeconds", slotSeconds);
    }
}
