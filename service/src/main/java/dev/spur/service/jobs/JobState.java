package dev.spur.service.jobs;

/**
 * Lifecycle state of a job. All but {@code DONE}, {@code FAILED} and {@code CANCELLED} are active. The SQL function
 * {@code is_active} (V3__jobs.sql), {@code ui/data.js} and {@code ServiceOptions} of the agent name the same.
 *
 * <ul>
 *   <li>{@code SUBMITTED}: by the insertion in {@link JobStore}
 *   <li>{@code WAITING}, {@code RUNNING}: by {@code rounds.PublicationWriter} with a plan; {@code WAITING} also by
 *       {@link JobTransitionStore#requeue}, and by {@code database.RestorationStore}; both for a data preparation by
 *       {@link PreparationStore}
 *   <li>{@code COMPLETING}: by {@link JobTransitionStore#moveTo} when the work is done
 *   <li>{@code DONE}, {@code FAILED}, {@code CANCELLED}: by {@link JobTransitionStore#end}
 * </ul>
 */
public enum JobState {
    /** No round has included the job yet. */
    SUBMITTED,
    /** The job waits by the last plan. */
    WAITING,
    /** The job runs by the last plan. */
    RUNNING,
    /** The work is done and the completion is not reported yet. */
    COMPLETING,
    /** The job has completed. */
    DONE,
    /** The job has failed. */
    FAILED,
    /** The job was canceled. */
    CANCELLED;

    /** Returns true if the state is final. */
    public boolean hasEnded() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }
}
