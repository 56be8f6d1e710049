package dev.spur.service.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProviderKeysTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean hangs;
    private volatile int status = 200;
    private HttpServer server;
    private String address = "";

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        address = "http://127.0.0.1:" + server.getAddress().getPort();
        server.setExecutor(threads);
        byte[] keys = new JWKSet(key("known")).toString().getBytes(StandardCharsets.UTF_8);
        byte[] metadata = "{\"issuer\": \"%1$s/realm\", \"jwks_uri\": \"%1$s/keys\"}"
                .formatted(address)
                .getBytes(StandardCharsets.UTF_8);
        server.createContext("/keys", exchange -> {
            requests.incrementAndGet();
            if (hangs) {
                awaitEnd();
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, keys.length);
            exchange.getResponseBody().write(keys);
            exchange.close();
        });
        server.createContext("/realm/.well-known/openid-configuration", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, metadata.length);
            exchange.getResponseBody().write(metadata);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private static JWK key(String id) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256).keyID(id).generate().toPublicJWK();
    }

    private ProviderKeys keys(String jwksUri) {
        var oidc = new OidcProperties(address + "/realm", jwksUri, "spur", "sub", "roles", "a=VIEWER", "", "");
        return new ProviderKeys(oidc, IdentityProviderClient.within(Duration.ofSeconds(30)));
    }

    private static List<JWK> get(ProviderKeys keys, String id) throws KeySourceException {
        return keys.get(new JWKSelector(new JWKMatcher.Builder().keyID(id).build()), null);
    }

    @Test
    void areDiscoveredFromTheIssuer() throws Exception {
        assertThat(get(keys(""), "known")).hasSize(1);
    }

    @Test
    void areFetchedOnceForManyUnknownIds() throws Exception {
        ProviderKeys keys = keys(address + "/keys");

        for (int i = 0; i < 40; i++) {
            assertThat(get(keys, "unknown " + i)).isEmpty();
        }

        assertThat(get(keys, "known")).hasSize(1);
        assertThat(requests).hasValue(1);
    }

    @Test
    void holdOneThreadWhileTheProviderHangs() throws Exception {
        hangs = true;
        ProviderKeys keys = keys(address + "/keys");
        Future<List<JWK>> first = threads.submit(() -> get(keys, "known"));
        while (requests.get() == 0) {
            Thread.onSpinWait();
        }

        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String id = "unknown " + i;
            assertThatThrownBy(() -> get(keys, id))
                    .hasMessageContaining("no keys are known")
                    .satisfies(failures::add);
        }
        end.countDown();

        assertThat(failures).hasSize(200);
        assertThat(first.get()).hasSize(1);
        assertThat(requests).hasValue(1);
    }

    @Test
    void ofAFailureNameItsCause() {
        status = 503;
        ProviderKeys keys = keys(address + "/keys");

        assertThatThrownBy(() -> get(keys, "known")).hasMessageContaining("503");
        assertThatThrownBy(() -> get(keys, "known")).hasMessageContaining("503");
        assertThat(requests).hasValue(1);
    }
}
