package dev.spur.prediction.speed;

/** How long steps of one job take on one accelerator type under one strategy. */
public interface SpeedModel {
    /** Seconds of a step, above 0. */
    double stepSeconds(StepShape shape);

    /** Samples per second, all devices together, above 0. */
    default double throughput(StepShape shape) {
        return shape.batchSize() / stepSeconds(shape);
    }
}
