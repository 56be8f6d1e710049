package dev.spur.service.access;

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
class BearerTokenAuthenticationManagerTest extends ServiceTest {
    private static final String PROXY = "203.0.113.9";

    @Autowired
    private TokenStore store;

    @Autowired
    private AccessScopeResolver reaches;

    @Autowired
    private InternalToken own;

    @Autowired
    private JdbcClient jdbc;

    private String issue(String name) {
        String secret = TokenSecret.fresh();
        store.add(new TokenStore.NewToken(name, name, TokenSecret.hash(secret), Role.VIEWER, null, null, "test", null));
        return secret;
    }

    private TokenAuthenticator authenticator() {
        return new TokenAuthenticator(
                store, reaches, own, new SecurityProperties(SecurityProperties.Mode.TOKEN, Duration.ofHours(1), false));
    }

    private static BearerTokenAuthenticationManager tokens(
            TokenAuthenticator authenticator, FailedLoginThrottle failures) {
        return new BearerTokenAuthenticationManager(
                authenticator,
                token -> {
                    throw new BadJwtException("no identity provider");
                },
                null,
                failures,
                PROXY);
    }

    private static void authenticate(BearerTokenAuthenticationManager tokens, String secret) {
        assertThat(tokens.authenticate(new BearerTokenAuthenticationToken(secret))
                        .isAuthenticated())
                .isTrue();
    }

    @Test
    void aValidTokenIsTakenWhateverFailsAtItsAddress() {
        String valid = issue("valid");
        TokenAuthenticator authenticator = authenticator();
        BearerTokenAuthenticationManager tokens =
                tokens(authenticator, new FailedLoginThrottle(new RateProperties(1, 1, 1)));
        assertThatThrownBy(() -> authenticate(tokens, "spur_bad")).isInstanceOf(InvalidBearerTokenException.class);
        assertThatThrownBy(() -> authenticate(tokens, "spur_bad")).isInstanceOf(TooManyFailedLoginsException.class);

        authenticate(tokens, valid);
        authenticator.notified("another");
        authenticate(tokens, valid);
        authenticator.reconnected();
        authenticate(tokens, valid);
    }

    @Test
    void aRevocationForgetsTheRevokedTokenAlone() {
        String kept = issue("kept");
        String revoked = issue("revoked");
        TokenAuthenticator authenticator = authenticator();
        assertThat(authenticator.principalOf(kept)).isPresent();
        assertThat(authenticator.principalOf(revoked)).isPresent();
        jdbc.sql("update access_token set revoked_at = now()").update();

        authenticator.notified("revoked");

        assertThat(authenticator.principalOf(revoked)).isEmpty();
        assertThat(authenticator.principalOf(kept))
                .as("remembered, without a query")
                .isPresent();
    }
}
