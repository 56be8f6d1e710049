package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.spur.service.testing.IdentityProvider;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import java.io.IOException;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTest extends ApiTest {
    private Answer issue(String json) {
        return api.post("/api/v1/tokens", json);
    }

    private Answer caller(String token) {
        return api.with(token).get("/api/v1/whoami");
    }

    @Nested
    class ATokenOfTheService {
        @Test
        void isShownOnceAndStoredAsAHash() {
            Answer issued = issue("{\"name\": \"ci\", \"role\": \"VIEWER\"}").is(201);
            String secret = issued.at("/secret");

            assertThat(secret).matches("spur_[A-Za-z0-9_-]{43}");
            assertThat(issued.header("Cache-Control")).isEqualTo("no-store");
            assertThat(api.get("/api/v1/tokens").is(200).text())
                    .contains("\"ci\"")
                    .doesNotContain("spur_");
            assertThat(jdbc.sql("select t::text from access_token t")
                            .query(String.class)
                            .list())
                    .hasSize(1)
                    .noneMatch(row -> row.contains(secret) || row.contains(secret.substring(5)));
        }

        @Test
        void makesItsCallerKnown() {
            world.sql("insert into tenant (name, parent, weight, quotas) values ('vision', 'root', 1, '{}')");
            String secret = issue("""
                    {"name": "ci", "role": "SUBMITTER", "tenants": ["vision"]}
                    """).is(201).at("/secret");

            Answer caller = caller(secret).is(200);

            assertThat(caller.text())
                    .isEqualTo("{\"name\":\"ci\",\"roles\":[\"SUBMITTER\"],\"tenants\":[\"vision\"],\"node\":null,"
                            + "\"credential\":\"TOKEN\"}");
            assertThat(api.get("/api/v1/tokens").at("/items/0/lastUsedAt")).isNotEqualTo("null");
        }

        @Test
        void countsForNothingOnceItIsRevoked() {
            Answer issued = issue("{\"name\": \"ci\", \"role\": \"VIEWER\"}").is(201);
            caller(issued.at("/secret")).is(200);

            api.delete(issued.header("Location")).is(204);

            caller(issued.at("/secret")).is(ProblemType.UNAUTHENTICATED);
            api.delete(issued.header("Location")).is(204);
            issue("{\"name\": \"ci\", \"role\": \"VIEWER\"}").is(201);
        }

        @Test
        void countsForNothingOnceItHasExpired() {
            Answer issued = issue("{\"name\": \"ci\", \"role\": \"VIEWER\", \"expiresInSeconds\": 3600}")
                    .is(201);
            caller(issued.at("/secret")).is(200);

            world.sql("update access_token set expires_at = now()");

            caller(issued.at("/secret")).is(ProblemType.UNAUTHENTICATED);
        }

        @Test
        void endsAfterAQuarterUnlessSomethingElseIsSaid() {
            String plain =
                    issue("{\"name\": \"a\", \"role\": \"VIEWER\"}").is(201).at("/token/expiresAt");
            Answer endless = issue("{\"name\": \"b\", \"role\": \"VIEWER\", \"expiresInSeconds\": null}")
                    .is(201);

            assertThat(Instant.parse(plain))
                    .isBetween(
                            Instant.now().plusSeconds(89 * 86400), Instant.now().plusSeconds(91 * 86400));
            assertThat(endless.json().at("/token/expiresAt").isNull()).isTrue();
        }

        @Test
        void hasANameOfItsOwn() {
            issue("{\"name\": \"ci\", \"role\": \"VIEWER\"}").is(201);

            issue("{\"name\": \"ci\", \"role\": \"OPERATOR\"}").is(ProblemType.CONFLICT);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"name\": \"x\", \"role\": \"OPERATOR\", \"tenants\": [\"root\"]} | /tenants",
                    "{\"name\": \"x\", \"role\": \"EXECUTOR\", \"tenants\": [\"root\"]} | /tenants",
                    "{\"name\": \"x\", \"role\": \"VIEWER\", \"node\": \"n1\"}          | /node",
                    "{\"name\": \"x\", \"role\": \"VIEWER\", \"tenants\": [\"nobody\"]} | /tenants/0"
                })
        void isConfinedByWhatFitsItsRole(String json, String pointer) {
            assertThat(issue(json).is(422).at("/errors/0/pointer")).isEqualTo(pointer);
        }
    }

    @Nested
    class ASignedToken {
        private final JWTClaimsSet.Builder viewer = IdentityProvider.claims("ann", "viewer");

        @Test
        void makesItsCallerKnownByItsClaims() {
            world.sql("insert into tenant (name, parent, weight, quotas) values ('vision', 'root', 1, '{}')");

            Answer caller = caller(IdentityProvider.sign(viewer.claim("spur_tenants", List.of("vision"))));

            assertThat(caller.is(200).text())
                    .isEqualTo("{\"name\":\"oidc:ann\",\"roles\":[\"VIEWER\"],\"tenants\":[\"vision\"],\"node\":null,"
                            + "\"credential\":\"JWT\"}");
        }

        @Test
        void reachesNothingIfItNamesNoTenantsAndEverythingIfItSaysSo() {
            String job = world.job(1);

            api.with(IdentityProvider.sign(viewer)).get("/api/v1/jobs/" + job).is(404);
            api.with(IdentityProvider.sign(viewer.claim("spur_tenants", "*")))
                    .get("/api/v1/jobs/" + job)
                    .is(200);
        }

        @Test
        void mayHaveTheTypeOfAnAccessToken() {
            caller(IdentityProvider.signAccessToken(viewer)).is(200);
        }

        /** Two callers with one first name are two callers, and a name cannot add a line to the log. */
        @Test
        void hasItsWholeNameInOneLine() {
            Answer caller = caller(IdentityProvider.sign(IdentityProvider.claims("Ann Lee\nINFO fake", "viewer")));

            assertThat(caller.is(200).at("/name")).isEqualTo("oidc:Ann Lee%0AINFO fake");
        }

        @Test
        void ofAnOperatorIsConfinedByNothing() {
            api.with(IdentityProvider.sign(IdentityProvider.claims("root", "operator")))
                    .get("/api/v1/tokens")
                    .is(200);
        }

        @Test
        void ofAnExecutorIsConfinedToTheNodeThatItNames() {
            cluster(1, 1);
            var node = api.with(IdentityProvider.sign(
                    IdentityProvider.claims("agent", "executor").claim("spur_node", "n0")));

            node.get("/api/v1/nodes/n0").is(200);
            node.get("/api/v1/nodes/n1").is(404);
        }

        @Test
        void withoutARoleIsKnownAndMayNothing() {
            caller(IdentityProvider.sign(IdentityProvider.claims("ann", "nobody")))
                    .is(ProblemType.FORBIDDEN);
        }
    }

    static Stream<String> worthless() throws JOSEException {
        var good = IdentityProvider.claims("ann", "operator");
        var sharedSecret = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), good.build());
        sharedSecret.sign(new MACSigner(IdentityProvider.publicKey()));
        String whole = IdentityProvider.sign(good);
        return Stream.of(
                new PlainJWT(good.build()).serialize(),
                sharedSecret.serialize(),
                IdentityProvider.forge(good),
                whole.substring(0, whole.length() - 6) + "AAAAAA",
                whole.substring(0, whole.lastIndexOf('.') + 1),
                IdentityProvider.sign(IdentityProvider.claims("a", "operator").audience("another-service")),
                IdentityProvider.sign(IdentityProvider.claims("a", "operator").issuer("https://elsewhere.example")),
                IdentityProvider.sign(IdentityProvider.claims("a", "operator").expirationTime(null)),
                IdentityProvider.sign(IdentityProvider.claims("a", "operator")
                        .expirationTime(Date.from(Instant.now().minusSeconds(3600)))),
                IdentityProvider.sign(IdentityProvider.claims("a", "operator")
                        .notBeforeTime(Date.from(Instant.now().plusSeconds(3600)))),
                "spur_",
                "spur_" + "A".repeat(43),
                "spur_" + "A".repeat(6000),
                "a.b.c",
                "....",
                "-");
    }

    @ParameterizedTest
    @MethodSource("worthless")
    void anUnsignedTokenIsRejectedAndNotRepeated(String token) {
        Answer answer = caller(token).is(ProblemType.UNAUTHENTICATED);

        assertThat(answer.header("WWW-Authenticate")).contains("invalid_token");
        assertThat(token.length() < 6 || !answer.text().contains(token)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer",
                "Bearer ",
                "Bearer a b",
                "Bearer \u00e4\u00f6\u00fc",
                "Bearer \t",
                "bearer nonsense",
                "Basic YWRtaW46YWRtaW4=",
                "Digest username=\"a\"",
                "spur_AAAA",
                "\u0000",
                "Bearer \u2603"
            })
    void aHeaderThatIsNoTokenIsRefusedAlsoInLocalMode(String header) throws IOException {
        String head = "GET /api/v1/whoami HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ";

        assertThat(RawRequestTest.send(port, head + header + "\r\n\r\n", new byte[0]))
                .containsPattern("^HTTP/1\\.1 40[01] ")
                .contains("application/problem+json");
    }

    @Test
    void aLocalCallerNeedsNone() {
        assertThat(api.get("/api/v1/whoami").is(200).at("/credential")).isEqualTo("LOCAL");
    }
}
