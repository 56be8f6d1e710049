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
 * The calls to the master. Its REST API is a gateway before gRPC: names are in lower camel case, numbers of 64 bits are
 * texts, members that are not set may be missing, and every mistake that has no code of its own is a 500. A session
 * ends after seven days, with a 401.
 */
final class DeterminedClient {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final int PAGE = 200;
    /** More than any cluster has: a list that does not end is an error of the master. */
    private static final int MOST_ROWS = 100_000;

    /** The two calls whose refusals come as 500: what they check has lost its code on the way. */
    private static final String QUEUES = "/api/v1/job-queues";

    private static final String CONTINUE = "/api/v1/experiments/continue";
    private static final String COMMANDS = "/api/v1/commands";
    private static final int UNAUTHENTICATED = 401;
    /** What a gateway says that has lost its master, and a master that is not ready or has too much to do. */
    private static final List<Integer> NO_ANSWER = List.of(429, 502, 503, 504);

    private final DeterminedSettings settings;
    private final Transport transport;
    private final Session session;

    DeterminedClient(DeterminedSettings settings, Transport transport, Clock clock) {
        this.settings = settings;
        this.transport = transport;
        this.session = new Session(settings, clock);
    }

    /** All rows of a list that comes in pages, under {@code member}; the address may have a query. */
    List<JsonNode> pages(String path, String member) throws IOException, InterruptedException {
        List<JsonNode> rows = new ArrayList<>();
        String joint = path.contains("?") ? "&" : "?";
        while (true) {
            JsonNode page = look("%s%soffset=%d&limit=%d".formatted(path, joint, rows.size(), PAGE));
            if (!page.path(member).isArray()) {
                throw new IOException("the master sent no " + member);
            }
            int before = rows.size();
            page.path(member).forEach(rows::add);
            if (rows.size() > MOST_ROWS) {
                throw new IOException("the master sent more than %d %s".formatted(MOST_ROWS, member));
            }
            if (rows.size() == before
                    || rows.size() >= page.path("pagination").path("total").asInt(0)) {
                return rows;
            }
        }
    }

    /** What is at an address. */
    JsonNode look(String path) throws IOException, InterruptedException {
        try {
            return call("GET", path, null);
        } catch (DeterminedRejection no) {
            throw new IOException("the master does not show %s: %s".formatted(path, no.getMessage()), no);
        }
    }

    /** One experiment with its configuration. */
    JsonNode experiment(String id) throws IOException, InterruptedException, DeterminedRejection {
        JsonNode answer = call("GET", "/api/v1/experiments/" + escape(id), null);
        if (!answer.path("experiment").isObject()) {
            throw new IOException("the master sent no experiment " + id);
        }
        return answer;
    }

    /** Tells an experiment to do something: {@code pause}, {@code activate}, {@code cancel} or {@code kill}. */
    void tell(String id, String what) throws IOException, InterruptedException, DeterminedRejection {
        call("POST", "/api/v1/experiments/%s/%s".formatted(escape(id), what), Map.of());
    }

    /** Writes the notes of an experiment. */
    void notes(String id, String notes) throws IOException, InterruptedException, DeterminedRejection {
        call("PATCH", "/api/v1/experiments/" + escape(id), Map.of("id", Integer.parseInt(id), "notes", notes));
    }

    /** Changes a job in its queue; a member is {@code priority} or {@code resourcePool}. */
    void queue(String job, String member, Object value) throws IOException, InterruptedException, DeterminedRejection {
        call("POST", QUEUES, Map.of("updates", List.of(Map.of("jobId", job, member, value))));
    }

    /** Continues an experiment that has ended, from its last checkpoint, with changes to its configuration. */
    void resume(String id, Map<String, ?> changes) throws IOException, InterruptedException, DeterminedRejection {
        // JSON is YAML, too
        call("POST", CONTINUE, Map.of("id", Integer.parseInt(id), "overrideConfig", JSON.writeValueAsString(changes)));
    }

    /** Launches a command, and tells its id. */
    String launch(Map<String, ?> config) throws IOException, InterruptedException, DeterminedRejection {
        String id = call("POST", COMMANDS, Map.of("config", config))
                .path("command")
                .path("id")
                .asString("");
        if (id.isBlank()) {
            throw new DeterminedVerificationFailure("a command was launched, and it has no id");
        }
        return id;
    }

    /** A command; empty if there is none of this id. */
    Optional<JsonNode> command(String id) throws IOException, InterruptedException, DeterminedRejection {
        try {
            return Optional.of(call("GET", COMMANDS + "/" + escape(id), null).path("command"));
        } catch (DeterminedRejection no) {
            if (no.status() == DeterminedRejection.NOT_FOUND) {
                return Optional.empty();
            }
            throw no;
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
            throw new IOException("the master does not accept the token of user " + settings.user());
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
                throw new IOException("the master gave no token");
            }
            return token;
        } catch (DeterminedRejection no) {
            throw new IOException("the master refuses it: " + no.getMessage(), no);
        }
    }

    private static JsonNode read(String method, String path, HttpResponse<byte[]> answer)
            throws IOException, DeterminedRejection {
        JsonNode tree;
        try {
            tree = JSON.readTree(answer.body());
        } catch (JacksonException notJson) {
            throw new IOException("the master answered %d and no JSON".formatted(answer.statusCode()), notJson);
        }
        if (answer.statusCode() / 100 == 2) {
            return tree;
        }
        String words = tree.path("error").path("error").asString("");
        boolean decided =
                answer.statusCode() < 500 || answer.statusCode() == 501 || path.equals(QUEUES) || path.equals(CONTINUE);
        if (words.isBlank() || !decided || NO_ANSWER.contains(answer.statusCode())) {
            throw new IOException("the master answered %d to %s %s".formatted(answer.statusCode(), method, path));
        }
        throw new DeterminedRejection(answer.statusCode(), words);
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
