package dev.spur.service.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.security.Role;
import dev.spur.service.testing.ServiceTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/** Several clients behind one address, as behind a proxy. */
class TokenAuthenticatorTest extends ServiceTest {
    private static final String PROXY = "203.0.113.9";

    @Autowired
    private TokenStore store;

    @Autowired
    private AccessScopeStore scopes;

    @Autowired
    private InternalToken own;

    @Autowired
    private JwtPrincipalConverter converter;

    @Autowired
    private JdbcClient jdbc;

    private String issue(String name) {
        String secret = TokenSecret.fresh();
        store.add(new TokenStore.NewToken(name, name, TokenSecret.hash(secret), Role.VIEWER, null, null, "test", null));
        return secret;
    }

    private TokenAuthenticator authenticator() {
        return new TokenAuthenticator(
                store,
                scopes,
                own,
                token -> {
                    throw new BadJwtException("no identity provider");
                },
                converter,
                new SecurityProperties(SecurityProperties.Mode.TOKEN, Duration.ofHours(1), false),
                new RateProperties(1, 1, 1));
    }

    private static void authenticate(TokenAuthenticator authenticator, String secret) {
        assertThat(authenticator
                        .authenticate(new BearerTokenAuthenticationToken(secret), PROXY)
                        .isAuthenticated())
                .isTrue();
    }

    @Test
    void aValidTokenIsTakenWhateverFailsAtItsAddress() {
        String valid = issue("valid");
        TokenAuthenticator authenticator = authenticator();
        assertThatThrownBy(() -> authenticate(authenticator, "spur_bad"))
                .isInstanceOf(InvalidBearerTokenException.class);
        assertThatThrownBy(() -> authenticate(authenticator, "spur_bad"))
                .isInstanceOf(AuthenticationProblemException.class);

        authenticate(authenticator, valid);
        authenticator.onNotification("another");
        authenticate(authenticator, valid);
        authenticator.onReconnect();
        authenticate(authenticator, valid);
    }

    @Test
    void aRevocationForgetsTheRevokedTokenAlone() {
        String retained = issue("kept");
        String revoked = issue("revoked");
        TokenAuthenticator authenticator = authenticator();
        assertThat(authenticator.principalOf(retained)).isPresent();
        assertThat(authenticator.principalOf(revoked)).isPresent();
        jdbc.sql("update access_token set revoked_at = now()").update();

        authenticator.onNotification("revoked");

        assertThat(authenticator.principalOf(revoked)).isEmpty();
        assertThat(authenticator.principalOf(retained))
                .as("remembered, without a query")
                .isPresent();
    }
}
