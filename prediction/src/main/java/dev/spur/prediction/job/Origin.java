package dev.spur.prediction.job;

/** The source of a prediction, the most reliable first. */
public enum Origin {
    /** Measured or stated for this shape and batch size, and consistent with the reports of the job. */
    MEASURED,
    /** A formula fitted to other shapes or batch sizes of this job on the same type. */
    FITTED,
    /** Other jobs of the same family on this type, adjusted to the measurements of this job. */
    FAMILY,
    /** The speed of this job or its family on another type, times the usual ratio of the two types. */
    RATIO,
    /** No data: one step per second, on the smallest shape only. */
    ASSUMED
}
