package dev.spur.service.security;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of the cluster that a caller may read and change.
 *
 * @param tenants tenants that it is confined to, including all below them; null for all
 * @param node node that it is confined to; null for all
 */
public record AccessScope(
        @Nullable Set<String> tenants, @Nullable String node) {
    /** Access to everything. */
    public static final AccessScope ALL = new AccessScope(null, null);

    public AccessScope {
        tenants = tenants == null ? null : Set.copyOf(tenants);
    }

    /** True if nothing is out of scope. */
    public boolean isAll() {
        return tenants == null && node == null;
    }

    /** True if the tenants of the scope include {@code tenant}. */
    public boolean covers(String tenant) {
        return tenants == null || tenants.contains(tenant);
    }
}
