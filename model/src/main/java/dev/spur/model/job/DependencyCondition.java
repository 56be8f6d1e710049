package dev.spur.model.job;

/** Condition of a dependency on the job that it names. */
public enum DependencyCondition {
    /** The job is DONE. After another end, the condition can never be met. */
    SUCCEEDED,
    /** The job has ended, in whatever state. */
    ENDED,
    /** A plan has started the job, or the job has ended without a start. */
    STARTED
}
