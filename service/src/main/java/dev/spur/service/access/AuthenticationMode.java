package dev.spur.service.access;

import dev.spur.service.StartupFailure;
import dev.spur.service.access.SecurityProperties.Mode;
import dev.spur.service.store.TokenStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Decides at the start whether callers need a token. Without one, whoever reaches the port is the operator; so that is
 * only ever the case where this machine alone reaches it.
 */
@Component
class AuthenticationMode {
    private final boolean needsToken;
    private final boolean onlyThisMachine;

    AuthenticationMode(
            SecurityProperties security,
            OidcProperties oidc,
            TokenStore tokens,
            @Value("${server.address:0.0.0.0}") String address,
            @Value("${spur.demo:false}") boolean demo)
            throws UnknownHostException {
        onlyThisMachine = InetAddress.getByName(address).isLoopbackAddress();
        if (security.mode() == Mode.LOCAL && !onlyThisMachine) {
            throw new StartupFailure(
                    "In local mode callers need no token, and other machines can reach %s. Set SPUR_SECURITY_MODE to token, or --bind to 127.0.0.1."
                            .formatted(address));
        }
        if (oidc.isThere() && oidc.audience().isBlank()) {
            throw new StartupFailure(
                    "SPUR_SECURITY_OIDC_ISSUER is set and SPUR_SECURITY_OIDC_AUDIENCE is not: tokens meant for others would be taken.");
        }
        needsToken = switch (security.mode()) {
            case TOKEN -> true;
            case LOCAL -> false;
            case AUTO -> !demo || !onlyThisMachine || oidc.isThere() || tokens.any();
        };
    }

    /** True if every caller must show a token. */
    boolean needsToken() {
        return needsToken;
    }

    /** True if other machines cannot reach the service. */
    boolean isOnlyThisMachine() {
        return onlyThisMachine;
    }
}
