package dev.spur.service.security;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whoever calls.
 *
 * @param name by which the log and stored keys know the caller
 * @param roles what the caller may do
 * @param tenant the tenant that the caller is confined to; null for all
 */
public record Principal(
        String name, Set<Role> roles, @Nullable String tenant) {
    public Principal {
        roles = Set.copyOf(roles);
    }

    /** True if the caller has one of {@code wanted}; nothing wanted is open to everybody. */
    public boolean hasOneOf(Set<Role> wanted) {
        return wanted.isEmpty() || wanted.stream().anyMatch(roles::contains);
    }
}
