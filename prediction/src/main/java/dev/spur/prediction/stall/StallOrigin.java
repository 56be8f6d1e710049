package dev.spur.prediction.stall;

/** The source of the stall of a change, the most reliable first. */
public enum StallOrigin {
    /** Measured changes of the job. */
    MEASURED,
    /** Measured changes of other jobs of its family. */
    PREDICTED,
    /** The specification of the job. */
    STATED,
    /** The default of a restart. */
    ASSUMED
}
