package dev.spur.connectors.determined;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * Client for the REST API of the Determined master, a gateway to gRPC. Names are in lower camel case, 64-bit numbers
 * are strings, and unset members may be absent. The gateway returns status 500 for every error without a code of its
 * own. A session expires after seven days with status 401.
 */
final class DeterminedClient {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final int PAGE = 200;
    /** Limit above any cluster's size; a longer list is treated as an error of the master. */
    private static final int MAX_ROWS = 100_000;

    /** The two endpoints that reject requests with status 500, because the master loses the error code. */
    private static final String QUEUES = "/api/v1/job-queues";

    private static final String CONTINUE = "/api/v1/experiments/continue";
    private static final String COMMANDS = "/api/v1/commands";
    private static final int UNAUTHENTICATED = 401;
    /** Statuses without a decision: the gateway cannot reach the master, or the master is not ready or overloaded. */
    private static final List<Integer> NO_DECISION = List.of(429, 502, 503, 504);

    private final DeterminedSettings settings;
    private final Transport transport;
    private final Session session;

    DeterminedClient(DeterminedSettings settings, Transport transport, Clock clock) {
        this.settings = settings;
        this.transport = transport;
        this.session = new Session(settings, clock);
    }

    /** Returns all rows under {@code member} of a paged list. The path may have a query. */
    List<JsonNode> pages(String path, String member) throws IOException, InterruptedException {
        List<JsonNode> rows = new ArrayList<>();
        String joint = path.contains("?") ? "&" : "?";
        while (true) {
            JsonNode page = get("%s%soffset=%d&limit=%d".formatted(path, joint, rows.size(), PAGE));
            if (!page.path(member).isArray()) {
                throw new IOException("the master returned no " + member);
            }
            int before = rows.size();
            page.path(member).forEach(rows::add);
            if (rows.size() > MAX_ROWS) {
                throw new IOException("the master returned more than %d %s".formatted(MAX_ROWS, member));
            }
            if (rows.size() == before
                    || rows.size() >= page.path("pagination").path("total").asInt(0)) {
                return rows;
            }
        }
    }

    /** Returns the resource at a path. */
    JsonNode get(String path) throws IOException, InterruptedException {
        try {
            return call("GET", path, null);
        } catch (DeterminedRejection rejection) {
            throw new IOException(
                    "the master rejected the request for %s: %s".formatted(path, rejection.getMessage()), rejection);
        }
    }

    /** Returns an experiment with its configuration. */
    JsonNode experiment(String id) throws IOException, InterruptedException, DeterminedRejection {
        JsonNode answer = call("GET", "/api/v1/experiments/" + escape(id), null);
        if (!answer.path("experiment").isObject()) {
            throw new IOException("the master returned no experiment " + id);
        }
        return answer;
    }

    /** Changes the state of an experiment by {@code pause}, {@code activate}, {@code cancel} or {@code kill}. */
    void changeState(String id, String change) throws IOException, InterruptedException, DeterminedRejection {
        call("POST", "/api/v1/experiments/%s/%s".formatted(escape(id), change), Map.of());
    }

    /** Writes the notes of an experiment. */
    void notes(String id, String notes) throws IOException, InterruptedException, DeterminedRejection {
        call("PATCH", "/api/v1/experiments/" + escape(id), Map.of("id", Integer.parseInt(id), "notes", notes));
    }

    /** Changes {@code priority} or {@code resourcePool} of a queued job. */
    void queue(String job, String member, Object value) throws IOException, InterruptedException, DeterminedRejection {
        call("POST", QUEUES, Map.of("updates", List.of(Map.of("jobId", job, member, value))));
    }

    /** Continues an ended experiment from its last checkpoint with a changed configuration. */
    void resume(String id, Map<String, ?> changes) throws IOException, InterruptedException, DeterminedRejection {
        // JSON is valid YAML
        call("POST", CONTINUE, Map.of("id", Integer.parseInt(id), "overrideConfig", JSON.writeValueAsString(changes)));
    }

    /** Launches a command and returns its id. */
    String launch(Map<String, ?> config) throws IOException, InterruptedException, DeterminedRejection {
        String id = call("POST", COMMANDS, Map.of("config", config))
                .path("command")
                .path("id")
                .asString("");
        if (id.isBlank()) {
            throw new DeterminedVerificationFailure("the master launched a command but returned no id");
        }
        return id;
    }

    /** Returns a command; empty if there is none with this id. */
    Optional<JsonNode> command(String id) throws IOException, InterruptedException, DeterminedRejection {
        try {
            return Optional.of(call("GET", COMMANDS + "/" + escape(id), null).path("command"));
        } catch (DeterminedRejection rejection) {
            if (rejection.status() == DeterminedRejection.NOT_FOUND) {
                return Optional.empty();
            }
            throw rejection;
        }
    }

    /** Kills a command. */
    void kill(String command) throws IOException, InterruptedException, DeterminedRejection {
        call("POST", "%s/%s/kill".formatted(COMMANDS, escape(command)), Map.of());
    }

    static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private JsonNode call(String method, String path, @Nullable Map<String, ?> body)
            throws IOException, InterruptedException, DeterminedRejection {
        HttpResponse<byte[]> answer = send(method, path, body, settings.timeout(), session.token(this::login));
        if (answer.statusCode() == UNAUTHENTICATED) {
            session.reject();
            answer = send(method, path, body, settings.timeout(), session.token(this::login));
        }
        if (answer.statusCode() == UNAUTHENTICATED) {
            throw new IOException("the master rejected the token of user " + settings.user());
        }
        return read(method, path, answer);
    }

    private String login(String password, Duration timeout) throws IOException, InterruptedException {
        Map<String, ?> body = Map.of("username", settings.user(), "password", password, "isHashed", false);
        try {
            String token = read("POST", "login", send("POST", "/api/v1/auth/login", body, timeout, null))
                    .path("token")
                    .asString("");
            if (token.isBlank()) {
                throw new IOException("the master returned no token");
            }
            return token;
        } catch (DeterminedRejection rejection) {
            throw new IOException("the master rejected the login: " + rejection.getMessage(), rejection);
        }
    }

    private static JsonNode read(String method, String path, HttpResponse<byte[]> answer)
            throws IOException, DeterminedRejection {
        JsonNode tree;
        try {
            tree = JSON.readTree(answer.body());
        } catch (JacksonException notJson) {
            throw new IOException("the master returned status %d without JSON".formatted(answer.statusCode()), notJson);
        }
        if (answer.statusCode() / 100 == 2) {
            return tree;
        }
        String message = tree.path("error").path("error").asString("");
        boolean decided =
                answer.statusCode() < 500 || answer.statusCode() == 501 || path.equals(QUEUES) || path.equals(CONTINUE);
        if (message.isBlank() || !decided || NO_DECISION.contains(answer.statusCode())) {
            throw new IOException(
                    "the master returned status %d for %s %s".formatted(answer.statusCode(), method, path));
        }
        throw new DeterminedRejection(answer.statusCode(), message);
    }

    private HttpResponse<byte[]> send(
            String method, String path, @Nullable Map<String, ?> body, Duration timeout, @Nullable String token)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(settings.url().resolve(path))
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofString(JSON.writeValueAsString(body)));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return transport.send(request.build());
    }
}
