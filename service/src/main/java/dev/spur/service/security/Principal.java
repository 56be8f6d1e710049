package dev.spur.service.security;

import java.util.Set;

/**
 * Whoever calls.
 *
 * @param name by which the log, the audit trail and stored keys know the caller
 * @param credential how it has shown who it is
 * @param roles what it may do
 * @param reach to what
 */
public record Principal(String name, Credential credential, Set<Role> roles, AccessScope reach) {
    /** Whoever calls an operation that asks for no role: what it names must show its right. */
    public static final Principal NOBODY =
            new Principal("nobody", Credential.NONE, Set.of(), new AccessScope(Set.of(), null));

    public Principal {
        roles = Set.copyOf(roles);
    }

    /** How a caller shows who it is. */
    public enum Credential {
        /** It does not. */
        NONE,
        /** It calls from this machine, which is enough in local mode. */
        LOCAL,
        /** A token that this service has issued. */
        TOKEN,
        /** A token that an identity provider has signed. */
        JWT,
        /** It is a part of this process. */
        INTERNAL
    }

    /** True if the caller has one of {@code wanted}; nothing wanted is open to everybody. */
    public boolean hasOneOf(Set<Role> wanted) {
        return wanted.isEmpty() || wanted.stream().anyMatch(roles::contains);
    }
}
