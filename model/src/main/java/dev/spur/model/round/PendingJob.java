package dev.spur.model.round;

import org.jspecify.annotations.Nullable;

/**
 * A waiting job and the reason.
 *
 * @param jobId the job
 * @param reason the first reason that holds, in the order of {@link PendingReason}
 * @param resource name of the scarce resource, as in the shadow prices; null if there is none
 * @param needed amount of it that the job's smallest configuration requires; null if no resource is scarce
 * @param free amount of it that the plan leaves free; null if no resource is scarce
 * @param queuePosition position in the queue, from 1: by the gain of the next free slot, then by arrival
 * @param message the reason as one sentence for users
 */
public record PendingJob(
        String jobId,
        PendingReason reason,
        @Nullable String resource,
        @Nullable Double needed,
        @Nullable Double free,
        int queuePosition,
        String message) {
    /** Returns this job at another queue position. */
    public PendingJob at(int other) {
        return new PendingJob(jobId, reason, resource, needed, free, other, message);
    }
}
