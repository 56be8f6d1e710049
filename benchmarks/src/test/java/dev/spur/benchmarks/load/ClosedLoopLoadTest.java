package dev.spur.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClosedLoopLoadTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger answered = new AtomicInteger();
    private HttpServer server;
    private HttpRequest request;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            answered.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .build();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void countsEveryAnswer() throws Exception {
        ClosedLoopLoad.Result result = ClosedLoopLoad.run(http, 2, 0.3, () -> request, Set.of(204));

        assertThat(result.perSecond()).isPositive().isLessThanOrEqualTo(answered.get() / 0.3);
        assertThat(result.p50Millis()).isPositive().isLessThanOrEqualTo(result.p99Millis());
    }

    @Test
    void failsWhenAnAnswerIsNotAsWanted() {
        assertThatThrownBy(() -> ClosedLoopLoad.run(http, 2, 0.3, () -> request, Set.of(201)))
                .hasMessageContaining("status 204");
    }
}
