package dev.spur.model.cluster;

/** Whether jobs may start and stay on a node. */
public enum NodeState {
    /** Jobs run on the node and new jobs may be placed on it. */
    ACTIVE,
    /** Running jobs stay until they end; no new job is placed on the node. */
    CORDONED,
    /** Running jobs leave as soon as they may be preempted; no new job is placed on the node. */
    DRAINING,
    /** The node does not respond; its jobs are considered stopped. */
    LOST;

    /** Returns true if a job may be newly placed on a node in this state. */
    public boolean takesNewJobs() {
        return this == ACTIVE;
    }

    /** Returns true if a preemptible job may stay on a node in this state. */
    public boolean letsJobsStay() {
        return this == ACTIVE || this == CORDONED;
    }

    /** Returns true if the node responds. */
    public boolean isUp() {
        return this != LOST;
    }
}
