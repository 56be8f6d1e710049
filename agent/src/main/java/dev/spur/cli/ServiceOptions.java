package dev.spur.cli;

import dev.spur.agent.protocol.ServiceAddress;
import dev.spur.agent.protocol.ServiceClient;
import dev.spur.agent.protocol.ServiceClient.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Options and requests common to all client commands. */
final class ServiceOptions {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ATTEMPTS = 3;
    private static final Set<String> ENDED = Set.of("DONE", "FAILED", "CANCELLED");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    @Option(
            names = "--service",
            paramLabel = "URL",
            description =
                    "URL of the service (default: SPUR_URL, otherwise http://127.0.0.1:8080). If the service requires"
                            + " a token, set SPUR_TOKEN.")
    private @Nullable String url;

    @Option(names = "--json", description = "Print the response of the service as JSON.")
    private boolean json;

    boolean printsJson() {
        return json;
    }

    JsonNode get(String path) throws InterruptedException {
        return demand("GET " + path, () -> client().get(path, PATIENCE));
    }

    JsonNode post(String path) throws InterruptedException {
        return demand("POST " + path, () -> client().post(path, PATIENCE));
    }

    /** Submits a job with an idempotency key, so that retries create it only once. */
    JsonNode submit(JsonNode job) throws InterruptedException {
        String key = UUID.randomUUID().toString();
        return demand("POST /api/v1/jobs", () -> client().post("/api/v1/jobs", job, PATIENCE, key));
    }

    /** Returns all pages of a list. */
    List<JsonNode> all(String path) throws InterruptedException {
        List<JsonNode> items = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = get(path + (path.contains("?") ? "&" : "?") + "limit=500" + cursor);
            page.path("items").forEach(items::add);
            String next = page.path("next").asString("");
            cursor = next.isEmpty() ? "" : "&cursor=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
        } while (!cursor.isEmpty());
        return items;
    }

    /**
     * Returns the id of the job with this id, id prefix or name.
     *
     * @throws CommandFailure if no job or several jobs match
     */
    String job(String name) throws InterruptedException {
        return ID.matcher(name).matches() ? name : only(name, named(name));
    }

    private List<JsonNode> named(String name) throws InterruptedException {
        return all("/api/v1/jobs").stream()
                .filter(job -> job.path("id").asString().startsWith(name)
                        || job.path("name").asString().equals(name))
                .toList();
    }

    static boolean hasEnded(JsonNode job) {
        return ENDED.contains(job.path("state").asString());
    }

    /** Returns the only match. If there are several, only those that have not ended count, unless all have. */
    private static String only(String name, List<JsonNode> all) {
        List<JsonNode> active = all.stream().filter(job -> !hasEnded(job)).toList();
        List<JsonNode> found = active.isEmpty() ? all : active;
        if (found.size() == 1) {
            return found.get(0).path("id").asString();
        }
        if (found.isEmpty()) {
            throw new CommandFailure("No job has the id prefix or the name %s.".formatted(name));
        }
        throw new CommandFailure("%2$s matches %1$d jobs: %3$s"
                .formatted(
                        found.size(),
                        name,
                        String.join(
                                ", ",
                                found.stream()
                                        .limit(5)
                                        .map(job -> job.path("id").asString())
                                        .toList())));
    }

    private ServiceClient client() {
        return ServiceClient.forCommand(address(), () -> Optional.ofNullable(System.getenv("SPUR_TOKEN")));
    }

    private URI address() {
        try {
            return ServiceAddress.of(url);
        } catch (IllegalArgumentException wrong) {
            throw CommandFailure.ofInput(String.valueOf(wrong.getMessage()));
        }
    }

    /** A repeatable request. */
    private interface Request {
        Answer send() throws IOException, InterruptedException;
    }

    private JsonNode demand(String what, Request request) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                Answer answer = request.send();
                if (answer.isFine()) {
                    return answer.json();
                }
                throw new CommandFailure("%s: %s".formatted(what, answer.problem()));
            } catch (IOException unreachable) {
                if (attempt == ATTEMPTS) {
                    throw new CommandFailure(
                            "The service at %s does not respond. Check that it runs, and set its URL with SPUR_URL or --service."
                                    .formatted(address()));
                }
                Thread.sleep(attempt * 300L);
            }
        }
    }
}
