package dev.spur.benchmarks.health;

import com.sun.net.httpserver.HttpServer;
import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Neighbors that occupy a service for as long as they can: bodies that arrive byte by byte, tokens whose keys a silent
 * identity provider does not send, and webhooks whose receivers do not respond.
 */
public final class SlowNeighbors implements AutoCloseable {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final int BODY_BYTES = 1000;
    /** Statuses by which the service asks a caller to send less. */
    private static final Set<Integer> BUSY = Set.of(429, 503);

    private static final Duration TOKEN_TIMEOUT = Duration.ofSeconds(60);

    private final HttpServer silent;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "neighbor");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicBoolean active = new AtomicBoolean(true);
    private final AtomicInteger bodies = new AtomicInteger();
    private final AtomicInteger tokens = new AtomicInteger();
    private final AtomicInteger deliveries = new AtomicInteger();
    private final AtomicReference<@Nullable IllegalStateException> failure = new AtomicReference<>();

    /** Starts the server that is provider and receiver: it accepts requests and sends no response. */
    public SlowNeighbors() throws IOException {
        silent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        silent.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().startsWith("/hook")) {
                deliveries.incrementAndGet();
            }
            pause(TimeUnit.HOURS.toMillis(1));
        });
        silent.setExecutor(threads);
        silent.start();
    }

    /** Returns the environment of a service that accepts tokens of the silent provider and sends to its receivers. */
    public Map<String, String> environment() {
        return Map.of(
                "SPUR_SECURITY_OIDC_ISSUER", address(),
                "SPUR_SECURITY_OIDC_AUDIENCE", "spur",
                "SPUR_WEBHOOKS_ALLOWEDNETWORKS", "127.0.0.0/8");
    }

    private String address() {
        return "http://127.0.0.1:" + silent.getAddress().getPort();
    }

    /** Keeps {@code count} requests open whose bodies arrive at one byte per second. */
    public void sendBodies(URI service, int count) {
        for (int i = 0; i < count; i++) {
            threads.execute(() -> repeat(() -> sendBody(service)));
        }
    }

    private void sendBody(URI service) throws IOException {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            OutputStream out = socket.getOutputStream();
            String head =
                    "POST /api/v1/jobs HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{"
                            .formatted(service.getAuthority(), BODY_BYTES);
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            bodies.incrementAndGet();
            for (int sent = 1; sent < BODY_BYTES && active.get(); sent++) {
                pause(1000);
                out.write(' ');
            }
        }
    }

    /** Sends requests with tokens of unknown keys from {@code count} callers, each a second after its last response. */
    public void sendTokens(URI service, int count) {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(threads)
                .build();
        for (int i = 0; i < count; i++) {
            threads.execute(() -> repeat(() -> sendToken(client, service)));
        }
    }

    private void sendToken(HttpClient client, URI service) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(service.resolve("/api/v1/jobs?limit=1"))
                .header("Authorization", "Bearer " + inventToken())
                .timeout(TOKEN_TIMEOUT)
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 401 && !BUSY.contains(response.statusCode())) {
            throw new IllegalStateException("An invented token got " + response.statusCode());
        }
        tokens.incrementAndGet();
        pause(1000);
    }

    private String inventToken() {
        String head = "{\"alg\": \"RS256\", \"kid\": \"%s\"}".formatted(UUID.randomUUID());
        String claims =
                "{\"iss\": \"%s\", \"aud\": \"spur\", \"sub\": \"a\", \"exp\": 4102444800}".formatted(address());
        byte[] signature = new byte[256];
        return encode(head.getBytes(StandardCharsets.UTF_8)) + "." + encode(claims.getBytes(StandardCharsets.UTF_8))
                + "." + encode(signature);
    }

    private static String encode(byte[] bytes) {
        return BASE64.encodeToString(bytes);
    }

    /** Creates {@code count} webhooks whose receiver does not respond, and sends test deliveries all the time. */
    public void deliver(URI service, int count) throws IOException, InterruptedException {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String created =
                    post(client, service, "/api/v1/webhooks", "{\"url\": \"%s/hook/%d\"}".formatted(address(), i));
            ids.add(RoundJson.mapper().readTree(created).at("/webhook/id").asString());
        }
        threads.execute(() -> repeat(() -> {
            for (String id : ids) {
                post(client, service, "/api/v1/webhooks/" + id + "/ping", "");
            }
            pause(1000);
        }));
    }

    private static String post(HttpClient client, URI service, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.resolve(path));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        HttpResponse<String> response = client.send(
                request.POST(HttpRequest.BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2 && !BUSY.contains(response.statusCode())) {
            throw new IllegalStateException("POST %s: %s".formatted(path, response.body()));
        }
        return response.body();
    }

    /**
     * Returns the numbers of bodies begun, of responses to invented tokens, and of deliveries begun.
     *
     * @throws IllegalStateException if a neighbor has ended by an unexpected response
     */
    public String counts() {
        IllegalStateException first = failure.get();
        if (first != null) {
            throw first;
        }
        return "%d bodies, %d responses to invented tokens, %d deliveries"
                .formatted(bodies.get(), tokens.get(), deliveries.get());
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** Repeats work until the end. The service may close connections and reject requests. */
    private void repeat(Work work) {
        while (active.get()) {
            try {
                work.run();
            } catch (IllegalStateException unexpected) {
                failure.compareAndSet(null, unexpected);
                return;
            } catch (IOException closed) {
                pause(100);
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void pause(long milliseconds) {
        try {
            TimeUnit.MILLISECONDS.sleep(milliseconds);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        active.set(false);
        silent.stop(0);
        threads.shutdownNow();
    }
}
