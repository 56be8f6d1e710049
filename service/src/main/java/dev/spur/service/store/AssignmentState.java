package dev.spur.service.store;

/** What is known of an assignment. */
public enum AssignmentState {
    /** Its executor has not said anything. */
    OFFERED,
    /** Its executor is ready to start it. */
    ACCEPTED,
    /** Processes may exist from here on. */
    STARTING,
    /** Its processes have begun. */
    RUNNING,
    /** Its processes were told to end. */
    STOPPING,
    /** No process is left. */
    STOPPED,
    /** No process is left, and the last one ended badly. */
    FAILED,
    /** Its executor was lost, or does not run it any more. */
    LOST;

    /** True if processes may exist: its devices are held. */
    public boolean holds() {
        return this == STARTING || this == RUNNING || this == STOPPING;
    }

    /** True if nothing will happen to it any more, unless an executor says that it still runs. */
    public boolean hasEnded() {
        return this == STOPPED || this == FAILED || this == LOST;
    }

    /** True if an executor may move an assignment on from here to {@code next}. */
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
