package dev.spur.model.cluster;

/** Whether a node may be used. */
public enum NodeState {
    /** Jobs run on it and new ones may come. */
    ACTIVE,
    /** Jobs on it stay until they end; nothing new comes. */
    CORDONED,
    /** Jobs on it move away as soon as they may be moved; nothing new comes. */
    DRAINING,
    /** It does not answer: what ran on it has stopped. */
    LOST;

    /** True if a job that is not there yet may be placed on such a node. */
    public boolean takesNewJobs() {
        return this == ACTIVE;
    }

    /** True if a job that may be moved can stay. */
    public boolean letsJobsStay() {
        return this == ACTIVE || this == CORDONED;
    }
}
