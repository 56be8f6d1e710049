package dev.spur.prediction.speed;

/** Step times of one job on one accelerator type under one strategy. */
public interface SpeedModel {
    /** Returns the seconds of a step, above 0. */
    double stepSeconds(StepShape shape);

    /** Returns the samples per second of all devices together, above 0. */
    default double throughput(StepShape shape) {
        return shape.batchSize() / stepSeconds(shape);
    }
}
