package dev.spur.simulator.trace.measured;

/**
 * Seconds of a step of one pass.
 *
 * @param step the whole step
 * @param sync the part in which gradients are combined
 */
public record Timing(double step, double sync) {
    /** Seconds of a step with {@code accumulationSteps} passes before the one that synchronises. */
    double accumulated(int accumulationSteps) {
        return step + accumulationSteps * (step - sync);
    }

    Timing plus(Timing other, double weight) {
        return new Timing(step + weight * other.step, sync + weight * other.sync);
    }
}
