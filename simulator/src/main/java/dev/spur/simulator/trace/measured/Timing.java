package dev.spur.simulator.trace.measured;

/**
 * Duration of a step of one pass.
 *
 * @param step seconds of the complete step
 * @param sync seconds of the gradient synchronization in it
 */
public record Timing(double step, double sync) {
    /** Returns the seconds of a step with {@code accumulationSteps} passes before the one that synchronizes. */
    double accumulate(int accumulationSteps) {
        return step + accumulationSteps * (step - sync);
    }

    Timing plus(Timing other, double weight) {
        return new Timing(step + weight * other.step, sync + weight * other.sync);
    }
}
