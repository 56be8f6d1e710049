package dev.spur.model.job;

/** In what a job's work is counted. */
public enum WorkUnit {
    /** Training samples seen. */
    SAMPLES,
    /** Optimiser steps at the initial batch size. */
    STEPS,
    /** Passes over the data set. */
    EPOCHS
}
