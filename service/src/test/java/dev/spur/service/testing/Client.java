package dev.spur.service.testing;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** A caller of the service. */
public final class Client {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;

    /** A caller of the service on {@code port} of this machine. */
    public Client(int port) {
        this.base = "http://127.0.0.1:" + port;
    }

    /** GET with headers given as name, value, name, value. */
    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return http.send(request(path, headers).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The same without waiting. */
    public CompletableFuture<HttpResponse<String>> getAsync(String path, String... headers) {
        return http.sendAsync(request(path, headers).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** POST of JSON; of nothing if {@code json} is empty. */
    public HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        HttpRequest.Builder request = json.isEmpty()
                ? request(path).POST(HttpRequest.BodyPublishers.noBody())
                : request(path, "Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(json));
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** DELETEs. */
    public HttpResponse<String> delete(String path) throws IOException, InterruptedException {
        return http.send(request(path).DELETE().build(), HttpResponse.BodyHandlers.ofString());
    }

    /** PUTs a body, with headers given as name, value, name, value. */
    public HttpResponse<String> put(String path, String json, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path, headers)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(json));
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The body as a tree. */
    public static JsonNode json(HttpResponse<String> response) {
        return RoundJson.mapper().readTree(response.body());
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        return headers.length == 0 ? request : request.headers(headers);
    }
}
