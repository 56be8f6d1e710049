package dev.spur.service.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A token that is wanted.
 *
 * @param name by which its caller is to be known
 * @param role role of its caller
 * @param tenants the tenants that its caller is confined to; null for all
 * @param node the node that its caller is confined to; null for all
 * @param expiresInSeconds for how long it counts; null for as long as it is not revoked
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
