package dev.spur.service.dataprep;

/** Lifecycle state of a preparation. */
public enum PreparationState {
    /** The preparation holds no resources. */
    WAITING,
    /** The preparation runs by the last plan. */
    RUNNING,
    /** The preparation has completed. */
    DONE,
    /** The preparation has failed. */
    FAILED,
    /** The preparation was canceled. */
    CANCELLED;

    /** Returns true if the state is final. */
    public boolean hasEnded() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }
}
