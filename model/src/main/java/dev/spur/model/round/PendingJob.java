package dev.spur.model.round;

import org.jspecify.annotations.Nullable;

/**
 * Why a job waits.
 *
 * @param jobId the job
 * @param reason the first reason that holds, by the order of {@link PendingReason}
 * @param resource name of the resource that binds, as in the prices; null if none does
 * @param needed how much of it the job's smallest configuration needs; null if no resource binds
 * @param free how much of it the plan leaves; null if no resource binds
 * @param queuePosition place in the queue, from 1: by what the next free slot would gain, then by arrival
 * @param message the reason for people, one sentence
 */
public record PendingJob(
        String jobId,
        PendingReason reason,
        @Nullable String resource,
        @Nullable Double needed,
        @Nullable Double free,
        int queuePosition,
        String message) {
    /** This at another place in the queue. */
    public PendingJob at(int other) {
        return new PendingJob(jobId, reason, resource, needed, free, other, message);
    }
}
