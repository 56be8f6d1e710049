package dev.spur.service.web.access;

import dev.spur.service.startup.StartupFailure;
import dev.spur.service.web.access.SecurityProperties.Mode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Decides at startup whether callers need a token. In local mode every caller is the operator. This is only allowed if
 * no other machine can reach the port.
 */
@Component
public class AuthenticationMode {
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
                    "Local mode requires no token, but other machines can reach %s. Set SPUR_SECURITY_MODE to token, or --bind to 127.0.0.1."
                            .formatted(address));
        }
        if (oidc.isConfigured() && oidc.audience().isBlank()) {
            throw new StartupFailure(
                    "SPUR_SECURITY_OIDC_ISSUER is set, but SPUR_SECURITY_OIDC_AUDIENCE is not: tokens for other services would be accepted.");
        }
        needsToken = switch (security.mode()) {
            case TOKEN -> true;
            case LOCAL -> false;
            case AUTO -> !demo || !onlyThisMachine || oidc.isConfigured() || tokens.any();
        };
    }

    /** True if every caller must send a token. */
    public boolean needsToken() {
        return needsToken;
    }

    /** True if other machines cannot reach the service. */
    boolean isOnlyThisMachine() {
        return onlyThisMachine;
    }
}
