package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;

/**
 * A published formula of step times. Its parameters are coordinates that may take any value, mostly logarithms of
 * times, so that no fit leaves the physical range.
 */
interface Formula {
    /** What people call it. */
    String name();

    /** True if it describes steps under {@code strategy}. */
    boolean covers(SyncStrategy strategy);

    /**
     * What is believed before anything is measured but how long a step takes about.
     *
     * @param seconds seconds of a pass that is typical for the job
     * @param perSlotBatch its samples
     */
    Gaussian usual(double seconds, double perSlotBatch);

    /**
     * By parameter 1 if it is the logarithm of a time and 0 if it is none: adding the same to all times scales every
     * step.
     */
    double[] times();

    /** Logarithm of the seconds of a step. */
    double logSeconds(double[] parameters, StepShape shape);
}
