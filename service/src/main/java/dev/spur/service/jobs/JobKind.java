package dev.spur.service.jobs;

/** Kind of a job. */
public enum JobKind {
    /** Trains a model on accelerator slots. */
    TRAINING,
    /** Prepares data on host CPUs and memory. */
    DATA_PREPARATION
}
