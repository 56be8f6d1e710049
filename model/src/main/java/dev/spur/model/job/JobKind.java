package dev.spur.model.job;

/** The purpose of a job. */
public enum JobKind {
    /** Trains a model on accelerator slots. */
    TRAINING
}
