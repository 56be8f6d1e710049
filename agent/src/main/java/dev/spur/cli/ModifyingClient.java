package dev.spur.cli;

import dev.spur.agent.protocol.ServiceClient.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Client for PATCH and DELETE requests, which few commands send. {@code HttpURLConnection} supports no PATCH. */
final class ModifyingClient {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final ServiceTarget target;
    private final Duration timeout;

    ModifyingClient(ServiceTarget target, Duration timeout) {
        this.target = target;
        this.timeout = timeout;
    }

    /**
     * Sends a merge patch (RFC 7396).
     *
     * @param etag ETag of the resource to change
     */
    Answer patch(String path, JsonNode body, String etag) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/merge-patch+json")
                .header("If-Match", etag)
                .method("PATCH", BodyPublishers.ofString(body.toString()))
                .build());
    }

    Answer delete(String path) throws IOException, InterruptedException {
        return send(request(path).DELETE().build());
    }

    private HttpRequest.Builder request(String path) {
        URI uri = target.url().resolve(path);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(timeout).version(HttpClient.Version.HTTP_1_1);
        target.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    private static Answer send(HttpRequest request) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .proxy(HttpClient.Builder.NO_PROXY)
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        return new Answer(
                response.statusCode(),
                response.body(),
                response.headers().firstValue("ETag").orElse(""));
    }
}
