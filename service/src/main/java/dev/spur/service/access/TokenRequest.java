package dev.spur.service.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Request for a new token.
 *
 * @param name name of its caller
 * @param role role of its caller
 * @param tenants tenants that its caller is confined to; null for all
 * @param node node that its caller is confined to; null for all
 * @param expiresInSeconds its lifetime; null for a token that is valid until it is revoked
 */
record TokenRequest(
        String name,
        String role,
        @Nullable List<String> tenants,
        @Nullable String node,
        @Nullable Long expiresInSeconds) {
    TokenRequest {
        tenants = tenants == null ? null : List.copyOf(tenants);
    }
}
