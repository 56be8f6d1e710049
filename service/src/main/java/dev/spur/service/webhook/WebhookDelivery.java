package dev.spur.service.webhook;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Delivery of an event to a webhook.
 *
 * @param seq number of the delivery, ascending
 * @param body body of the request
 * @param id id of the delivery, which all its attempts send
 * @param eventId id of the event; null for a ping
 * @param kind kind of the event
 * @param state state of the delivery
 * @param attempts attempts so far
 * @param createdAt time at which it was queued
 * @param nextAttemptAt earliest time of the next attempt; null if it has ended
 * @param endedAt time of the end; null if it is pending
 * @param lastStatus HTTP status of the last attempt; null if it had no response
 * @param lastError cause of the failure of the last attempt; null if it did not fail
 */
record WebhookDelivery(
        @JsonIgnore long seq,
        @JsonIgnore String body,
        String id,
        @Nullable String eventId,
        String kind,
        State state,
        int attempts,
        Instant createdAt,
        @Nullable Instant nextAttemptAt,
        @Nullable Instant endedAt,
        @Nullable Integer lastStatus,
        @Nullable String lastError) {
    /** Kind of a test delivery. It has one attempt, and precedes all events. */
    static final String PING = "PING";

    /** State of a delivery. */
    enum State {
        /** An attempt is due or has been delayed. */
        PENDING,
        /** The receiver accepted it. */
        DELIVERED,
        /** All attempts failed. */
        DEAD
    }
}
