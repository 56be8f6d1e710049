package dev.spur.simulator.replay;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of a job after the moment at which a replay begins. Times are seconds on the clock of the problem.
 *
 * @param started when it first gets slots, or other slots, after that moment; null if it does not
 * @param ended when it is done; null if it is not
 */
public record SimulatedTimes(
        @Nullable Double started, @Nullable Double ended) {}
