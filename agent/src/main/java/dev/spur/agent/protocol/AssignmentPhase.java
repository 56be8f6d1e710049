package dev.spur.agent.protocol;

/** How far an assignment is, in the order in which it moves on. */
public enum AssignmentPhase {
    /** The executor has said nothing of it. */
    OFFERED,
    /** It is ready to start. */
    ACCEPTED,
    /** Processes may exist from here on. */
    STARTING,
    /** They have begun. */
    RUNNING,
    /** They were told to end. */
    STOPPING,
    /** No process is left. */
    STOPPED,
    /** No process is left, and the program ended by itself with a status other than 0. */
    FAILED,
    /** The service has given the executor up. */
    LOST;

    /** True from the answer to STARTING until the end is told: the service counts the devices as held. */
    public boolean isHolding() {
        return this == STARTING || this == RUNNING || this == STOPPING;
    }

    /** True if nothing comes after it. */
    public boolean isFinal() {
        return this == STOPPED || this == FAILED || this == LOST;
    }
}
