package dev.spur.model.job;

/** Whether the start of a job may stop running jobs of lower priority classes. Kubernetes uses the same names. */
public enum PreemptionPolicy {
    /** The job may take the slots of running jobs of lower classes that are preemptible and unprotected. */
    PREEMPT_LOWER_PRIORITY,
    /** The job precedes waiting jobs of lower classes, and never takes slots that their running jobs hold. */
    NEVER
}
