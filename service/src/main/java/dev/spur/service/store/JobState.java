package dev.spur.service.store;

/** Where a job is in its life. */
public enum JobState {
    /** No round has seen it yet. */
    SUBMITTED,
    /** The last plan lets it wait. */
    WAITING,
    /** The last plan runs it. */
    RUNNING,
    /** Its work is done and its end is not reported yet. */
    COMPLETING,
    /** It has ended well. */
    DONE,
    /** It has ended badly. */
    FAILED,
    /** It was called off. */
    CANCELLED;

    /** True if nothing will happen to it any more. */
    public boolean hasEnded() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }
}
