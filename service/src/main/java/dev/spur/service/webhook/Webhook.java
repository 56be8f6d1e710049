package dev.spur.service.webhook;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Webhook without its secret.
 *
 * @param seq number of the webhook, ascending
 * @param version version of its row
 * @param id id of the webhook
 * @param url where the service sends deliveries
 * @param kinds kinds of events; empty for all
 * @param tenants tenants whose events are sent, with all below them; null for all
 * @param enabled true if events are delivered
 * @param createdAt time of creation
 * @param createdBy name of the caller that created it
 */
record Webhook(
        @JsonIgnore long seq,
        @JsonIgnore long version,
        String id,
        String url,
        List<String> kinds,
        @Nullable List<String> tenants,
        boolean enabled,
        Instant createdAt,
        String createdBy) {
    Webhook {
        kinds = List.copyOf(kinds);
        tenants = tenants == null ? null : List.copyOf(tenants);
    }
}
