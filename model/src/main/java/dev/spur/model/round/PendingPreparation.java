package dev.spur.model.round;

import org.jspecify.annotations.Nullable;

/**
 * Pending data-preparation job with its pending reason.
 *
 * @param preparationId the data-preparation job
 * @param reason the first reason that applies, by the order of {@link PendingReason}
 * @param resource name of the binding resource; null if none binds
 * @param needed amount of the resource that the smallest allocation needs; null if no resource binds
 * @param free amount of the resource that the plan leaves; null if no resource binds
 * @param queuePosition position in the queue of data-preparation jobs, from 1
 * @param message the reason with numbers, one sentence
 */
public record PendingPreparation(
        String preparationId,
        PendingReason reason,
        @Nullable String resource,
        @Nullable Double needed,
        @Nullable Double free,
        int queuePosition,
        String message) {
    /** Returns this entry at another position in the queue. */
    public PendingPreparation at(int other) {
        return new PendingPreparation(preparationId, reason, resource, needed, free, other, message);
    }
}
