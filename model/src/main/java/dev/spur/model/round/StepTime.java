package dev.spur.model.round;

/**
 * How long a step of a round took.
 *
 * @param step name of the step
 * @param milliseconds on the clock
 */
public record StepTime(String step, double milliseconds) {}
