package dev.spur.model.job;

/** What a job does. */
public enum JobKind {
    /** Trains a model on accelerator slots. */
    TRAINING
}
