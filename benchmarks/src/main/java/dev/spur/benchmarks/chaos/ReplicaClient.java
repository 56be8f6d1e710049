package dev.spur.benchmarks.chaos;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** Client that repeats a request at the replicas in turn until one responds with a status below 500. */
final class ReplicaClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long LIMIT_SECONDS = 900;
    private static final int BUSY = 429;

    private final ChaosSite site;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger repetitions = new AtomicInteger();

    ReplicaClient(ChaosSite site) {
        this.site = site;
    }

    /** Returns the number of requests that were repeated because they got no response, or none but an error. */
    int repetitions() {
        return repetitions.get();
    }

    JsonNode get(String path) throws InterruptedException {
        return require("GET", path, "");
    }

    /** Sends a request to a healthy replica; headers are names and values in turn. */
    HttpResponse<String> send(String method, String path, String body, String... headers) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        String last = "no replica runs";
        while (System.nanoTime() < end) {
            Optional<URI> address = site.address(Math.floorMod(next.getAndIncrement(), ChaosSite.REPLICAS));
            if (address.isPresent()) {
                try {
                    HttpRequest.Builder request = HttpRequest.newBuilder(
                                    address.get().resolve("/api/v1" + path))
                            .timeout(TIMEOUT)
                            .header("Content-Type", "application/json")
                            .method(method, HttpRequest.BodyPublishers.ofString(body));
                    if (headers.length > 0) {
                        request.headers(headers);
                    }
                    HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
                    if (response.statusCode() < 500 && response.statusCode() != BUSY) {
                        return response;
                    }
                    last = response.statusCode() + " " + response.body();
                } catch (IOException noResponse) {
                    last = noResponse.toString();
                }
            }
            repetitions.incrementAndGet();
            TimeUnit.MILLISECONDS.sleep(300);
        }
        throw new IllegalStateException(
                "%s %s got no response within %d s: %s".formatted(method, path, LIMIT_SECONDS, last));
    }

    /** Sends a request whose response must be a success. */
    JsonNode require(String method, String path, String body, String... headers) throws InterruptedException {
        HttpResponse<String> response = send(method, path, body, headers);
        if (response.statusCode() / 100 != 2) {
            throw new IllegalStateException(
                    "%s %s: %d %s".formatted(method, path, response.statusCode(), response.body()));
        }
        return RoundJson.mapper().readTree(response.body());
    }
}
