package dev.spur.simulator.trace.measured;

/**
 * A measured step.
 *
 * @param nodes nodes used
 * @param slots devices used
 * @param perDevice samples of a pass on a device
 * @param timing how long it took
 */
public record MeasuredPoint(int nodes, int slots, int perDevice, Timing timing) {}
