package dev.spur.service.security;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What of the cluster a caller may see and touch.
 *
 * @param tenants the tenants that it is confined to, every one below those named included; null for all
 * @param node the node that it is confined to; null for all
 */
public record AccessScope(
        @Nullable Set<String> tenants, @Nullable String node) {
    /** Everything. */
    public static final AccessScope ALL = new AccessScope(null, null);

    public AccessScope {
        tenants = tenants == null ? null : Set.copyOf(tenants);
    }

    /** True if nothing is out of reach. */
    public boolean isAll() {
        return tenants == null && node == null;
    }

    /** True if what belongs to {@code tenant} is within reach, as far as tenants decide. */
    public boolean covers(String tenant) {
        return tenants == null || tenants.contains(tenant);
    }
}
