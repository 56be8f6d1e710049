package dev.spur.agent.protocol;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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

    private static final Map<String, String> JSON_CONTENT = Map.of("Content-Type", "application/json");

    private final URI base;
    private final Supplier<Optional<String>> token;
    private final HttpTransport transport;

    private ServiceClient(URI base, Supplier<Optional<String>> token, HttpTransport transport) {
        this.base = base;
        this.token = token;
        this.transport = transport;
    }

    /**
     * Creates a client for the service at {@code base}.
     *
     * @param token called before each request, so that the token can change while the program runs
     */
    public ServiceClient(URI base, Supplier<Optional<String>> token) {
        this(base, token, new PooledTransport());
    }

    /** Creates a client for a command, which sends few requests and exits. */
    public static ServiceClient forCommand(URI base, Supplier<Optional<String>> token) {
        return new ServiceClient(base, token, new UrlTransport());
    }

    /**
     * A response.
     *
     * @param status HTTP status code
     * @param body response body; empty if there is none
     * @param etag ETag of the resource; empty if there is none
     */
    public record Answer(int status, String body, String etag) {
        /** A response without an ETag. */
        public Answer(int status, String body) {
            this(status, body, "");
        }

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
            String detail = json.path("detail").asString(json.path("title").asString(""));
            // The detail of a problem with errors repeats the first of them.
            StringBuilder text =
                    new StringBuilder(json.path("errors").isEmpty() ? status + " " + detail : status + ":");
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
    public Answer get(String path, Duration timeout) throws IOException, InterruptedException {
        return send("GET", path, Map.of(), "", timeout);
    }

    /** Sends a PUT request with a JSON body. */
    public Answer put(String path, Object body, Duration timeout) throws IOException, InterruptedException {
        return send("PUT", path, JSON_CONTENT, JSON.writeValueAsString(body), timeout);
    }

    /**
     * Sends a PUT request with a JSON body and a precondition.
     *
     * @param etag ETag of the resource to replace; empty to create the resource
     */
    public Answer put(String path, Object body, Duration timeout, String etag)
            throws IOException, InterruptedException {
        Map<String, String> headers = new HashMap<>(JSON_CONTENT);
        headers.put(etag.isEmpty() ? "If-None-Match" : "If-Match", etag.isEmpty() ? "*" : etag);
        return send("PUT", path, headers, JSON.writeValueAsString(body), timeout);
    }

    /** Sends a POST request with a JSON body. */
    public Answer post(String path, Object body, Duration timeout) throws IOException, InterruptedException {
        return send("POST", path, JSON_CONTENT, JSON.writeValueAsString(body), timeout);
    }

    /** Sends a POST request with a JSON body and an idempotency key. */
    public Answer post(String path, Object body, Duration timeout, String idempotencyKey)
            throws IOException, InterruptedException {
        Map<String, String> headers = new HashMap<>(JSON_CONTENT);
        headers.put("Idempotency-Key", idempotencyKey);
        return send("POST", path, headers, JSON.writeValueAsString(body), timeout);
    }

    /** Sends a POST request without a body. */
    public Answer post(String path, Duration timeout) throws IOException, InterruptedException {
        return send("POST", path, Map.of(), "", timeout);
    }

    private Answer send(String method, String path, Map<String, String> headers, String body, Duration timeout)
            throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>(headers);
        token.get().ifPresent(value -> all.put("Authorization", "Bearer " + value));
        return transport.send(method, base.resolve(path), all, body, timeout);
    }
}
