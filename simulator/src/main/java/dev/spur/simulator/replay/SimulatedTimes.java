package dev.spur.simulator.replay;

import org.jspecify.annotations.Nullable;

/**
 * Simulated start and end of a job after the begin of a replay. Times are seconds on the clock of the problem.
 *
 * @param started first assignment of slots, or of other slots, after the begin; null if there is none
 * @param ended completion; null if the job does not complete
 */
public record SimulatedTimes(
        @Nullable Double started, @Nullable Double ended) {}
