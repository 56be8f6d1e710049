package dev.spur.service.jobs;

/**
 * Kind of an event of a job. The enum {@code FeedKind} of {@code openapi.yaml}, {@code docs/reference/events.md} and
 * the dashboard ({@code ui/events.js}) name the same; {@code JobEventKindsTest} compares them.
 */
public enum JobEventKind {
    SUBMITTED,
    CHANGED,
    HELD,
    RELEASED,
    DEPENDENCIES_MET,
    STARTED,
    RUNNING,
    RESIZED,
    MOVED,
    RECONFIGURED,
    PREEMPTED,
    DEADLINE,
    REQUEUED,
    STOP_FAILED,
    DRIFT,
    PROFILED,
    COUNT_FELL,
    PROGRESS_FELL,
    RESTORED,
    COMPLETING,
    DONE,
    FAILED,
    CANCELLED,
    MEMORY,
    REVOKED;

    /** Returns the kind of the end of a job in {@code state}. */
    static JobEventKind ofEnd(JobState state) {
        return switch (state) {
            case DONE -> DONE;
            case FAILED -> FAILED;
            case CANCELLED -> CANCELLED;
            case SUBMITTED, WAITING, RUNNING, COMPLETING ->
                throw new IllegalArgumentException("state %s does not end a job".formatted(state));
        };
    }
}
