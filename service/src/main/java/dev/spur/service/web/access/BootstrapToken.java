package dev.spur.service.web.access;

import dev.spur.service.security.Role;
import dev.spur.service.startup.StartupMessage;
import dev.spur.service.web.access.TokenStore.NewToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Issues the first operator token at startup, and prints it once. It does so only if callers need a token and no
 * operator token is valid. With an identity provider, operators authenticate there.
 */
@Component
class BootstrapToken implements StartupMessage {
    /** Ninety days in seconds. */
    private static final long LIFETIME = 90L * 24 * 3600;

    private final AuthenticationMode mode;
    private final SecurityProperties security;
    private final OidcProperties oidc;
    private final TokenStore tokens;

    BootstrapToken(AuthenticationMode mode, SecurityProperties security, OidcProperties oidc, TokenStore tokens) {
        this.mode = mode;
        this.security = security;
        this.oidc = oidc;
        this.tokens = tokens;
    }

    @Override
    @Transactional
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (mode.needsToken()) {
            issue().ifPresent(secret -> {
                lines.add("Token of the first operator (shown only once): " + secret);
                lines.add("It expires in 90 days; issue others with ./spur token create.");
            });
        }
        if (!mode.isOnlyThisMachine()) {
            lines.add("Tokens are sent unencrypted: use a proxy with TLS in front of the service.");
        }
        return lines;
    }

    private Optional<String> issue() {
        boolean isRequired = security.newOperatorToken() || (!oidc.isConfigured() && !tokens.anyOperator());
        if (!isRequired) {
            return Optional.<String>empty();
        }
        String id = UUID.randomUUID().toString();
        String secret = TokenSecret.fresh();
        String name = "operator-" + id.substring(0, 8);
        tokens.add(new NewToken(id, name, TokenSecret.hash(secret), Role.OPERATOR, null, null, "start", LIFETIME));
        return Optional.of(secret);
    }
}
