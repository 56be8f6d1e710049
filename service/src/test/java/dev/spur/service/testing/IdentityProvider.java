package dev.spur.service.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.DynamicPropertyRegistry;

/** An identity provider on this machine: it has a key and signs what it is told to. */
public final class IdentityProvider {
    private static final String ISSUER = "https://identity.example";
    private static final String AUDIENCE = "spur-tests";
    private static final RSAKey KEY = key("k1");
    private static final RSAKey FOREIGN_KEY = key("k1");
    private static final HttpServer SERVER = serve();

    private IdentityProvider() {}

    /** Makes a service take its tokens. */
    public static void register(DynamicPropertyRegistry registry) {
        registry.add("spur.security.oidc.issuer", () -> ISSUER);
        registry.add("spur.security.oidc.audience", () -> AUDIENCE);
        registry.add(
                "spur.security.oidc.jwks-uri",
                () -> "http://127.0.0.1:" + SERVER.getAddress().getPort() + "/keys");
        registry.add("spur.security.oidc.roles-claim", () -> "realm_access.roles");
    }

    /** Claims of a token that counts. */
    public static JWTClaimsSet.Builder claims(String subject, String role) {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .subject(subject)
                .expirationTime(Date.from(Instant.now().plusSeconds(3600)))
                .claim("realm_access", Map.of("roles", java.util.List.of("spur-" + role)));
    }

    /** Signs claims with its key. */
    public static String sign(JWTClaimsSet.Builder claims) {
        return sign(claims, KEY);
    }

    /** Signs claims as an access token of RFC 9068, which has a type of its own. */
    public static String signAccessToken(JWTClaimsSet.Builder claims) {
        return sign(claims, KEY, new JOSEObjectType("at+jwt"));
    }

    /** Signs claims with a key of somebody else that goes by the same id. */
    public static String forge(JWTClaimsSet.Builder claims) {
        return sign(claims, FOREIGN_KEY);
    }

    /** Its public key, as everybody knows it. */
    public static byte[] publicKey() {
        try {
            return KEY.toRSAPublicKey().getEncoded();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String sign(JWTClaimsSet.Builder claims, RSAKey key) {
        return sign(claims, key, null);
    }

    private static String sign(JWTClaimsSet.Builder claims, RSAKey key, @Nullable JOSEObjectType type) {
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(key.getKeyID())
                            .type(type)
                            .build(),
                    claims.build());
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RSAKey key(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HttpServer serve() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            byte[] keys = new JWKSet(KEY.toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
            server.createContext("/keys", exchange -> {
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, keys.length);
                exchange.getResponseBody().write(keys);
                exchange.close();
            });
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
