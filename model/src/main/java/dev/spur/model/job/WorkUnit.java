package dev.spur.model.job;

/** The unit of a job's work. */
public enum WorkUnit {
    /** Training samples. */
    SAMPLES,
    /** Optimizer steps at the initial batch size. */
    STEPS,
    /** Passes over the data set. */
    EPOCHS
}
