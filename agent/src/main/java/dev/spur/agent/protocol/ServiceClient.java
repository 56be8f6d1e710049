package dev.spur.agent.protocol;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** HTTP client of the service. Thread-safe. */
public final class ServiceClient {
    /** Ignores members added by later versions of the service */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final URI base;
    private final Supplier<Optional<String>> token;

    /**
     * Creates a client for the service at {@code base}.
     *
     * @param token called before each request, so that the token can change while the program runs
     */
    public ServiceClient(URI base, Supplier<Optional<String>> token) {
        this.base = base;
        this.token = token;
    }

    /**
     * A response.
     *
     * @param status HTTP status code
     * @param body response body; empty if there is none
     */
    public record Answer(int status, String body) {

        public boolean isFine() {
            return status / 100 == 2;
        }

        /** Parses the body as a value of {@code type}. */
        public <T> T as(Class<T> type) {
            return JSON.readValue(body, type);
        }

        /** Parses the body as a JSON tree; an empty object if it is not JSON. */
        public JsonNode json() {
            try {
                return body.isEmpty() ? JSON.createObjectNode() : JSON.readTree(body);
            } catch (JacksonException notJson) {
                return JSON.createObjectNode();
            }
        }

        /** Returns the problem description of the service. */
        public String problem() {
            JsonNode json = json();
            StringBuilder text = new StringBuilder("%d %s"
                    .formatted(
                            status,
                            json.path("detail").asString(json.path("title").asString(""))));
            for (JsonNode error : json.path("errors")) {
                String place = error.path("pointer")
                        .asString(error.path("parameter")
                                .asString(error.path("header").asString("")));
                String message = error.path("message").asString("");
                text.append("%n  ".formatted()).append(place.isEmpty() ? message : place + ": " + message);
            }
            for (JsonNode reason : json.path("reasons")) {
                text.append("%n  %s".formatted(reason.asString("")));
            }
            return text.toString();
        }
    }

    /** Sends a GET request. */
    public Answer get(String path, Duration patience) throws IOException, InterruptedException {
        return send(request(path, patience).GET());
    }

    /** Sends a PUT request with a JSON body. */
    public Answer put(String path, Object body, Duration patience) throws IOException, InterruptedException {
        return send(request(path, patience)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    /** Sends a POST request with a JSON body and headers given as name, value, name, value. */
    public Answer post(String path, Object body, Duration patience, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path, patience)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    /** Sends a POST request without a body. */
    public Answer post(String path, Duration patience) throws IOException, InterruptedException {
        return send(request(path, patience).POST(HttpRequest.BodyPublishers.noBody()));
    }

    private HttpRequest.Builder request(String path, Duration patience) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(patience);
        token.get().ifPresent(value -> request.header("Authorization", "Bearer " + value));
        return request;
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(answer.statusCode(), answer.body());
    }
}
