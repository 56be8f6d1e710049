package dev.spur.prediction.stall;

/**
 * The stall of a change, as rounds plan with it.
 *
 * @param seconds median of the predicted stall, at least 0
 * @param origin source of the estimate
 * @param changes number of measured changes of the job
 */
public record StallEstimate(double seconds, StallOrigin origin, long changes) {}
