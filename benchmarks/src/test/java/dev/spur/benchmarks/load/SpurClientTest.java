package dev.spur.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SpurClientTest {
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Deque<String> rounds = new ArrayDeque<>();
    private HttpServer server;
    private SpurClient client;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        client = new SpurClient(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "test");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Answers requests for rounds in order, each with a status and a body, and all others with an empty object. */
    private void answer(HttpExchange exchange) throws IOException {
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        requests.add(request);
        String answer = request.contains("/rounds") ? rounds.remove() : "200 {}";
        byte[] body = answer.substring(4).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void plansOnDemandOnceARoundHasReadTheInterval() throws Exception {
        rounds.addAll(List.of(
                "409 {}",
                "202 {\"number\": 2}",
                "404 {}",
                "200 {\"number\": 2, \"finishedAt\": \"2026-01-01T00:00:00Z\"}"));

        client.planOnDemand(1);

        assertThat(requests)
                .containsExactly(
                        "PUT /api/v1/settings",
                        "POST /api/v1/rounds",
                        "POST /api/v1/rounds",
                        "GET /api/v1/rounds/2",
                        "GET /api/v1/rounds/2");
    }
}
