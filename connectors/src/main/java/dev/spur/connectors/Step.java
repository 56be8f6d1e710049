package dev.spur.connectors;

/** Step of an action, and the state by which it is verified. */
public enum Step {
    /** A checkpoint was requested. The platform shows no effect; the next step follows after the grace period. */
    SIGNALLED,
    /** The job must be held and must hold no resources. */
    HOLDING,
    /** The job must run with the placement of the action, or wait for that placement. */
    STARTING,
    /** The job must have the new priority. */
    ORDERING,
    /** The job must have ended. */
    ENDING;

    /** Returns true if {@code job} shows the effect of this step of {@code action}. */
    public boolean isSeenIn(PlatformJob job, JobAction action) {
        return switch (this) {
            case SIGNALLED -> false;
            case HOLDING -> job.state() == PlatformJob.State.HELD;
            case STARTING -> startsThere(job, action.placement());
            case ORDERING -> job.priority() == action.priority();
            case ENDING -> job.state().hasEnded();
        };
    }

    private static boolean startsThere(PlatformJob job, JobPlacement placement) {
        return switch (job.state()) {
            case RUNNING -> job.held().equals(placement);
            case WAITING -> job.pinned().equals(placement);
            default -> false;
        };
    }
}
