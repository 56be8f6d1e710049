package dev.spur.agent.protocol;

/** State of an assignment, in the order of its transitions. */
public enum AssignmentPhase {
    /** Not reported by the executor yet. */
    OFFERED,
    /** Ready to start. */
    ACCEPTED,
    /** Starting; processes may exist. */
    STARTING,
    /** Running. */
    RUNNING,
    /** Requested to stop. */
    STOPPING,
    /** Ended on request; no process is left. */
    STOPPED,
    /** Ended without a request with an exit status other than 0; no process is left. */
    FAILED,
    /** The executor was marked as lost. */
    LOST;

    /** Returns true from the permission to start until the end is reported: the service counts the devices as held. */
    public boolean isHolding() {
        return this == STARTING || this == RUNNING || this == STOPPING;
    }

    /** Returns true if the state is final. */
    public boolean isFinal() {
        return this == STOPPED || this == FAILED || this == LOST;
    }
}
