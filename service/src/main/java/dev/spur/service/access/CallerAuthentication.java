package dev.spur.service.access;

import dev.spur.service.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;

/** A caller whose token counts. What it may do is no authority of the framework: the contract says it. */
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

    /** Never the secret: what is not kept is not told. */
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
