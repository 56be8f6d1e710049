package dev.spur.service.operations.demo;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** HTTP client of the public API. */
final class DemoClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;
    private final String authorization;

    /**
     * A client of the service at {@code base}, such as {@code http://127.0.0.1:8080}, which sends
     * {@code authorization}.
     */
    DemoClient(String base, String authorization) {
        this.base = base;
        this.authorization = authorization;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    /** Creates a resource; an existing one stays unchanged. */
    void create(String path, String json) throws IOException, InterruptedException {
        put(path, "If-None-Match", "*", json);
    }

    /** Replaces a resource. */
    void replace(String path, String etag, String json) throws IOException, InterruptedException {
        put(path, "If-Match", etag, json);
    }

    private void put(String path, String condition, String etag, String json) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(request(path)
                .header(condition, etag)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(json)));
        boolean exists = condition.equals("If-None-Match") && answer.statusCode() == 412;
        if (answer.statusCode() >= 400 && !exists) {
            throw new IOException("PUT %s: %s".formatted(path, answer.body()));
        }
    }

    HttpResponse<String> post(String path, Object body) throws IOException, InterruptedException {
        String json = RoundJson.mapper().writeValueAsString(body);
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    /** Parses the body of a response. */
    static JsonNode json(HttpResponse<String> answer) {
        return RoundJson.mapper().readTree(answer.body());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", authorization)
                .timeout(TIMEOUT);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
