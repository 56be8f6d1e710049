package dev.spur.service.security;

import java.util.Set;

/**
 * An authenticated caller.
 *
 * @param name its name in the log, the audit trail and stored keys
 * @param credential how it authenticated
 * @param reach its scope
 */
public record Principal(String name, Credential credential, Set<Role> roles, AccessScope reach) {
    /** The caller of an operation that requires no role; such an operation authorizes by what the request names. */
    public static final Principal ANONYMOUS =
            new Principal("anonymous", Credential.NONE, Set.of(), new AccessScope(Set.of(), null));

    public Principal {
        roles = Set.copyOf(roles);
    }

    /** How a caller authenticated. */
    public enum Credential {
        /** Not authenticated. */
        NONE,
        /** A call from this machine, which is sufficient in local mode. */
        LOCAL,
        /** A token of this service. */
        TOKEN,
        /** A token signed by an identity provider. */
        JWT,
        /** A component of this process. */
        INTERNAL
    }

    /** True if the caller has one of {@code desired}, or {@code desired} is empty. */
    public boolean hasOneOf(Set<Role> desired) {
        return desired.isEmpty() || desired.stream().anyMatch(roles::contains);
    }
}
