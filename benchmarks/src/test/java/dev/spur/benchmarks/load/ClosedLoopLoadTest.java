package dev.spur.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClosedLoopLoadTest {
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
        ClosedLoopLoad.Result result = ClosedLoopLoad.run(2, 0.3, () -> request, Set.of(204));

        assertThat(result.perSecond()).isPositive().isLessThanOrEqualTo(answered.get() / 0.3);
        assertThat(result.p50Millis()).isPositive().isLessThanOrEqualTo(result.p99Millis());
    }

    private static String key(HttpExchange exchange) {
        return exchange.getRequestHeaders().getFirst("Idempotency-Key");
    }

    /** The response to the second request has chunks. */
    @Test
    void sendsHeadersAndBody() throws Exception {
        Queue<String> received = new ConcurrentLinkedQueue<>();
        Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();
        server.createContext("/jobs", exchange -> {
            connections.add(exchange.getRemoteAddress());
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            received.add(
                    exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + key(exchange) + " " + body);
            byte[] response = "stored".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(201, key(exchange).equals("b") ? 0 : response.length);
            exchange.getResponseBody().write(response);
            exchange.close();
        });
        Queue<HttpRequest> requests = new ConcurrentLinkedQueue<>();
        for (String key : List.of("a", "b", "c")) {
            requests.add(HttpRequest.newBuilder(request.uri().resolve("/jobs?all=true"))
                    .header("Idempotency-Key", key)
                    .POST(HttpRequest.BodyPublishers.ofString("größer " + key))
                    .build());
        }

        ClosedLoopLoad.Result result = ClosedLoopLoad.run(1, 60, requests::poll, Set.of(201));

        assertThat(result.responses()).isEqualTo(3);
        assertThat(received)
                .containsExactly(
                        "POST /jobs?all=true a größer a",
                        "POST /jobs?all=true b größer b",
                        "POST /jobs?all=true c größer c");
        assertThat(connections).as("one connection for all requests").hasSize(1);
    }

    @Test
    void opensAnotherConnectionWhenTheServiceClosesOne() throws Exception {
        Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();
        server.createContext("/closing", exchange -> {
            connections.add(exchange.getRemoteAddress());
            exchange.getResponseHeaders().set("Connection", "close");
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        HttpRequest closing =
                HttpRequest.newBuilder(request.uri().resolve("/closing")).build();
        Queue<HttpRequest> requests = new ConcurrentLinkedQueue<>(List.of(closing, closing));

        assertThat(ClosedLoopLoad.run(1, 60, requests::poll, Set.of(204)).responses())
                .isEqualTo(2);
        assertThat(connections).hasSize(2);
    }

    @Test
    void failsWhenAnAnswerIsNotAsWanted() {
        assertThatThrownBy(() -> ClosedLoopLoad.run(2, 0.3, () -> request, Set.of(201)))
                .hasMessageContaining("status 204");
    }
}
