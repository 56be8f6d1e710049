package dev.spur.model.round;

/** How a job's allocation differs from the one before. */
public enum ChangeKind {
    /** The same configuration on the same devices. */
    KEEP,
    /** It waited and runs now. */
    START,
    /** More slots. */
    GROW,
    /** Fewer slots. */
    SHRINK,
    /** As many slots of the same type, on other devices. */
    MOVE,
    /** As many slots on the same devices, with another batch size, strategy or number of aggregation slots. */
    RETUNE,
    /** It ran and waits now. */
    PREEMPT
}
