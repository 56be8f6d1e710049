package dev.spur.connectors;

/** One step of an action: what the platform is to show once it is taken. */
public enum Step {
    /** The job was asked for a checkpoint. Nothing will be seen of it; the next step follows when its time is over. */
    SIGNALLED,
    /** The job is to be held, and to hold nothing. */
    HOLDING,
    /** The job is to run where the action says, or to wait for just that. */
    STARTING,
    /** The job is to have another priority. */
    ORDERING,
    /** The job is to have ended. */
    ENDING;

    /** True if {@code job} shows that the step of {@code action} is taken. */
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
