package dev.spur.model.round;

/**
 * The duration of a step of a round.
 *
 * @param step name of the step
 * @param milliseconds wall-clock time
 */
public record StepTime(String step, double milliseconds) {}
