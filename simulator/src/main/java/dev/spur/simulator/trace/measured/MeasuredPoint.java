package dev.spur.simulator.trace.measured;

/**
 * Measured step.
 *
 * @param nodes nodes used
 * @param slots devices used
 * @param perDevice samples per pass and device
 * @param timing duration of the step
 */
public record MeasuredPoint(int nodes, int slots, int perDevice, Timing timing) {}
