package dev.spur.prediction.job;

/** Where a predicted figure comes from, the best first. */
public enum Origin {
    /** Measured or stated for this very shape and batch size, and not contradicted by what the job reported. */
    MEASURED,
    /** A formula fitted to other shapes or batch sizes of this job on the same type. */
    FITTED,
    /** Other jobs of the same family on this type, adjusted to what is known of this job. */
    FAMILY,
    /** This job's or its family's speed on another type, times what that type usually differs by. */
    RATIO,
    /** Nothing is known: one step a second, on the smallest shape alone. */
    ASSUMED
}
