package dev.spur.model.job;

/** What a job does. */
public enum JobKind {
    /** Trains a model on accelerator slots. */
    TRAINING,
    /** Prepares data on host CPU and memory. No round plans this kind yet; a submission of it is refused. */
    DATA_PREPARATION
}
