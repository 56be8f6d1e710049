package dev.spur.service.webhook;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Webhook as a caller defines it.
 *
 * @param url where the service sends deliveries
 * @param kinds kinds of events; empty for all
 * @param tenants tenants whose events are sent, with all below them; null for all in the scope of the caller
 * @param enabled true if events are delivered
 */
record WebhookRequest(
        String url, List<String> kinds, @Nullable List<String> tenants, boolean enabled) {
    WebhookRequest {
        requireHttp(url);
        kinds = List.copyOf(kinds);
        tenants = tenants == null ? null : List.copyOf(tenants);
    }

    private static void requireHttp(String url) {
        try {
            URI uri = new URI(url);
            boolean http = "https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme());
            if (http && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawFragment() == null) {
                return;
            }
        } catch (URISyntaxException invalid) {
            throw refusal(url, invalid);
        }
        throw refusal(url, null);
    }

    private static IllegalArgumentException refusal(String url, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "url (%s) is not an absolute http or https URL without user and fragment".formatted(url), cause);
    }
}
