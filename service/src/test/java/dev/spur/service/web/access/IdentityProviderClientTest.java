package dev.spur.service.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.web.client.ResourceAccessException;

/** An identity provider that answers badly. */
@Timeout(60)
class IdentityProviderClientTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private String get(int announced, int sent, Duration timeout) {
        server.createContext("/keys", exchange -> {
            exchange.sendResponseHeaders(200, announced);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(" ".repeat(sent).getBytes(StandardCharsets.US_ASCII));
                out.flush();
                if (sent < announced) {
                    end.await();
                }
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        });
        URI keys = URI.create(
                "http://127.0.0.1:%d/keys".formatted(server.getAddress().getPort()));
        return String.valueOf(IdentityProviderClient.within(timeout).getForObject(keys, String.class));
    }

    @Test
    void theLargestAnswerIsRead() {
        int max = IdentityProviderClient.MAX_BYTES;

        assertThat(get(max, max, Duration.ofSeconds(50))).hasSize(max);
    }

    @Test
    void aLargerAnswerIsRejected() {
        int large = IdentityProviderClient.MAX_BYTES + 1;

        assertThatThrownBy(() -> get(large, large, Duration.ofSeconds(50)))
                .isInstanceOf(ResourceAccessException.class)
                .hasMessageContaining("exceeds 1048576 bytes");
    }

    @Test
    void anAnswerThatStopsInItsBodyEndsAtTheDeadline() {
        assertThatThrownBy(() -> get(5000, 9, Duration.ofMillis(300))).isInstanceOf(ResourceAccessException.class);
    }
}
