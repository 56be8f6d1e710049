package dev.spur.service.feeds;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A receiver of webhooks: an HTTP server that responds as it was told, and with 200 otherwise. */
final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BlockingQueue<Behavior> behaviors = new LinkedBlockingQueue<>();
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final List<Received> all = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile int redirectTo;

    /** What it does with a request. */
    enum Behavior {
        ACCEPT,
        FAIL,
        HANG,
        CLOSE,
        DRIP,
        REDIRECT
    }

    /** A request. */
    record Received(String id, String timestamp, String signature, String body) {
        JsonNode json() {
            return RoundJson.mapper().readTree(body);
        }

        String kind() {
            return json().path("kind").asString();
        }
    }

    /** Listens on all addresses of this machine. */
    Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress((InetAddress) null, 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** URL on an address of this machine. */
    String url(String host) {
        return "http://" + host + ":" + server.getAddress().getPort() + "/hook";
    }

    /** Sets the behavior for the next requests, one each. */
    void next(Behavior... next) {
        behaviors.addAll(List.of(next));
    }

    void redirectTo(Receiver other) {
        redirectTo = other.server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Received request = new Received(
                exchange.getRequestHeaders().getFirst("webhook-id"),
                exchange.getRequestHeaders().getFirst("webhook-timestamp"),
                exchange.getRequestHeaders().getFirst("webhook-signature"),
                body);
        all.add(request);
        received.add(request);
        Behavior behavior = behaviors.poll();
        switch (behavior == null ? Behavior.ACCEPT : behavior) {
            case ACCEPT -> exchange.sendResponseHeaders(204, -1);
            case FAIL -> exchange.sendResponseHeaders(500, -1);
            case REDIRECT -> {
                exchange.getResponseHeaders().set("Location", "http://127.0.0.1:" + redirectTo + "/stolen");
                exchange.sendResponseHeaders(307, -1);
            }
            case HANG -> waitForTheEnd(1, TimeUnit.HOURS);
            case CLOSE -> throw new IOException("the receiver closes the connection");
            case DRIP -> {
                exchange.sendResponseHeaders(200, 1000);
                for (int i = 0; i < 1000; i++) {
                    exchange.getResponseBody().write('x');
                    exchange.getResponseBody().flush();
                    waitForTheEnd(50, TimeUnit.MILLISECONDS);
                }
            }
            default -> throw new IllegalStateException("no behavior");
        }
        exchange.close();
    }

    private void waitForTheEnd(long time, TimeUnit unit) {
        try {
            end.await(time, unit);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next request. */
    Received take() throws InterruptedException {
        Received next = received.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request in time");
        }
        return next;
    }

    /** All requests so far. */
    List<Received> all() {
        return List.copyOf(all);
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
