package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;

/**
 * A published formula of step times. Its parameters are unbounded coordinates, mostly logarithms of times, so that no
 * fit leaves the physical range.
 */
interface Formula {
    /** Returns its name. */
    String name();

    /** Returns true if it describes steps under {@code strategy}. */
    boolean covers(SyncStrategy strategy);

    /**
     * Returns the prior of the parameters when only the approximate duration of a step is known.
     *
     * @param seconds seconds of a pass that is typical for the job
     * @param perSlotBatch its samples
     */
    Gaussian usual(double seconds, double perSlotBatch);

    /**
     * Returns 1 for each parameter that is the logarithm of a time, and 0 for the others. Adding the same value to all
     * times scales every step.
     */
    double[] times();

    /** Returns the logarithm of the seconds of a step. */
    double logSeconds(double[] parameters, StepShape shape);
}
