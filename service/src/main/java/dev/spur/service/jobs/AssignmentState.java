package dev.spur.service.jobs;

/**
 * State of an assignment. {@link AssignmentStore} inserts the first one, and {@link RankChangeStore} for a node that
 * joins a gang. {@link AssignmentTransitionStore} writes all later ones, and inserts assignments that only an executor
 * knows. {@code executors.GangStore} ends assignments that were never started.
 */
public enum AssignmentState {
    /** The executor has not answered yet. */
    OFFERED,
    /** The executor is ready to start it. */
    ACCEPTED,
    /** Processes may exist from this state on. */
    STARTING,
    /** The processes have started. */
    RUNNING,
    /** The executor was ordered to stop the processes. */
    STOPPING,
    /** All processes have ended. */
    STOPPED,
    /** All processes have ended, the last one with a failure. */
    FAILED,
    /** The executor was lost, or does not run the assignment anymore. */
    LOST;

    /** Returns true if processes may exist. The assignment then holds its devices. */
    public boolean holds() {
        return this == STARTING || this == RUNNING || this == STOPPING;
    }

    /** Returns true if the state is final, unless an executor reports that the assignment still runs. */
    public boolean hasEnded() {
        return this == STOPPED || this == FAILED || this == LOST;
    }

    /** Returns true if an executor may report a transition from this state to {@code next}. */
    public boolean mayBecome(AssignmentState next) {
        return switch (next) {
            case OFFERED, LOST -> false;
            case ACCEPTED -> this == OFFERED;
            case STARTING -> this == OFFERED || this == ACCEPTED;
            case RUNNING -> this == STARTING;
            case STOPPING -> this == STARTING || this == RUNNING;
            case STOPPED, FAILED -> !hasEnded();
        };
    }
}
