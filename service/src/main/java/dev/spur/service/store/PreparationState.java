package dev.spur.service.store;

/** Where a preparation is in its life. */
public enum PreparationState {
    /** It holds nothing. */
    WAITING,
    /** The last plan runs it. */
    RUNNING,
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
