package dev.spur.service.job;

/** Lifecycle state of a job. */
public enum JobState {
    /** No round has included the job yet. */
    SUBMITTED,
    /** The job waits by the last plan. */
    WAITING,
    /** The job runs by the last plan. */
    RUNNING,
    /** The work is done and the completion is not reported yet. */
    COMPLETING,
    /** The job has completed. */
    DONE,
    /** The job has failed. */
    FAILED,
    /** The job was canceled. */
    CANCELLED;

    /** Returns true if the state is final. */
    public boolean hasEnded() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }
}
