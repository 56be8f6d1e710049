package dev.spur.service.access;

import dev.spur.service.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;

/**
 * Authentication of a caller with a valid token. It carries no authorities of the framework, because the contract
 * defines authorization.
 */
final class CallerAuthentication extends AbstractAuthenticationToken {
    private static final long serialVersionUID = 1;

    private final transient Principal caller;

    CallerAuthentication(Principal caller) {
        super(List.of());
        this.caller = caller;
        setAuthenticated(true);
    }

    Principal caller() {
        return caller;
    }

    /** Always empty, because the secret is not kept. */
    @Override
    public Object getCredentials() {
        return "";
    }

    @Override
    public Object getPrincipal() {
        return caller.name();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
