package dev.spur.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.security.Role;
import dev.spur.service.store.TokenStore;
import dev.spur.service.testing.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/** Several clients behind one address, as behind a proxy. */
class TokensTest extends ServiceTest {
    private static final String PROXY = "203.0.113.9";

    @Autowired
    private TokenStore store;

    @Autowired
    private Reaches reaches;

    @Autowired
    private OwnToken own;

    @Autowired
    private JdbcClient jdbc;

    private String issue(String name) {
        String secret = Secret.fresh();
        store.add(new TokenStore.NewToken(name, name, Secret.hash(secret), Role.VIEWER, null, null, "test", null));
        return secret;
    }

    private TokenDesk desk() {
        return new TokenDesk(
                store, reaches, own, new SecurityProperties(SecurityProperties.Mode.TOKEN, 3600, false, 1));
    }

    private static Tokens tokens(TokenDesk desk, Failures failures) {
        return new Tokens(
                desk,
                token -> {
                    throw new BadJwtException("no identity provider");
                },
                null,
                failures,
                PROXY);
    }

    private static void authenticate(Tokens tokens, String secret) {
        assertThat(tokens.authenticate(new BearerTokenAuthenticationToken(secret))
                        .isAuthenticated())
                .isTrue();
    }

    @Test
    void aValidTokenIsTakenWhateverFailsAtItsAddress() {
        String valid = issue("valid");
        TokenDesk desk = desk();
        Tokens tokens = tokens(desk, new Failures(new RateProperties(1, 1, 1)));
        assertThatThrownBy(() -> authenticate(tokens, "spur_bad")).isInstanceOf(InvalidBearerTokenException.class);
        assertThatThrownBy(() -> authenticate(tokens, "spur_bad")).isInstanceOf(TooManyFailures.class);

        authenticate(tokens, valid);
        desk.heard("another");
        authenticate(tokens, valid);
        desk.reconnected();
        authenticate(tokens, valid);
    }

    @Test
    void aRevocationForgetsTheRevokedTokenAlone() {
        String kept = issue("kept");
        String revoked = issue("revoked");
        TokenDesk desk = desk();
        assertThat(desk.whose(kept)).isPresent();
        assertThat(desk.whose(revoked)).isPresent();
        jdbc.sql("update access_token set revoked_at = now()").update();

        desk.heard("revoked");

        assertThat(desk.whose(revoked)).isEmpty();
        assertThat(desk.whose(kept)).as("remembered, without a query").isPresent();
    }
}
