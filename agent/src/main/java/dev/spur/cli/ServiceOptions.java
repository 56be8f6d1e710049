package dev.spur.cli;

import dev.spur.agent.protocol.ServiceClient;
import dev.spur.agent.protocol.ServiceClient.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Options and requests common to all client commands. */
final class ServiceOptions {
    /** States of jobs that have not ended. */
    static final List<String> ACTIVE = List.of("SUBMITTED", "WAITING", "RUNNING", "COMPLETING");
    /** Query of a list of jobs that have not ended. */
    static final String ACTIVE_FILTER =
            ACTIVE.stream().map(state -> parameter("state", state)).collect(Collectors.joining("&"));

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String WAITING = "Waiting for the service ...";
    private static final int ATTEMPTS = 3;
    private static final int SHOWN_MATCHES = 10;
    private static final int UNAUTHENTICATED = 401;
    private static final int NOT_FOUND = 404;
    private static final int UNPROCESSABLE = 422;
    private static final int CHANGED_MEANWHILE = 412;
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;
    private static final String ARRAYS = "/api/v1/arrays/";
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    @Option(
            names = "--service",
            paramLabel = "URL",
            description = "URL of the service (default: SPUR_URL, otherwise that of ./spur login, otherwise"
                    + " http://127.0.0.1:8080). A token is read from SPUR_TOKEN or from the login.")
    private @Nullable String url;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private OutputFormat format = OutputFormat.TABLE;

    private @Nullable ServiceTarget known;

    private UnaryOperator<String> fieldNames = ProblemText::property;

    ServiceOptions() {}

    /** Creates options for a known URL and token, without a command line. */
    ServiceOptions(String url, Optional<String> token) {
        this.url = url;
        this.known = new ServiceTarget(URI.create(url), token);
    }

    OutputFormat format() {
        return format;
    }

    /** Sets the names of fields in errors, by their JSON pointers. */
    void nameFields(UnaryOperator<String> names) {
        fieldNames = names;
    }

    JsonNode get(String path) throws InterruptedException {
        return demand("GET " + path, () -> client().get(path, TIMEOUT));
    }

    /** Sends a GET request that the service may answer late. No progress is shown. */
    JsonNode poll(String path) throws InterruptedException {
        return send("GET " + path, () -> client().get(path, TIMEOUT), 0, "").json();
    }

    JsonNode post(String path) throws InterruptedException {
        return demand("POST " + path, () -> client().post(path, TIMEOUT));
    }

    /** Submits a job with an idempotency key, so that retries create it only once. */
    JsonNode submit(JsonNode job) throws InterruptedException {
        return submit("/api/v1/jobs", job);
    }

    /** Creates a resource of a collection with an idempotency key, so that retries create it only once. */
    JsonNode submit(String collection, JsonNode body) throws InterruptedException {
        String key = UUID.randomUUID().toString();
        return demand("POST " + collection, () -> client().post(collection, body, TIMEOUT, key));
    }

    /** A resource with its ETag. */
    record Tagged(JsonNode value, String etag) {}

    /** Returns a resource; empty if it does not exist. */
    Optional<Tagged> find(String path) throws InterruptedException {
        Answer answer = send("GET " + path, () -> client().get(path, TIMEOUT), NOT_FOUND, WAITING);
        return answer.isFine() ? Optional.of(new Tagged(answer.json(), answer.etag())) : Optional.empty();
    }

    /**
     * Creates or replaces a resource.
     *
     * @param etag ETag of the resource to replace; empty to create it
     */
    JsonNode put(String path, JsonNode body, String etag) throws InterruptedException {
        return demand("PUT " + path, () -> client().put(path, body, TIMEOUT, etag));
    }

    /**
     * Sends a PUT that the service checks and does not carry out.
     *
     * @param isIgnored whether an error of a value is none
     * @throws CommandFailure with all other errors
     */
    void check(String path, JsonNode body, String etag, Predicate<JsonNode> isIgnored) throws InterruptedException {
        String what = "PUT " + path;
        Answer answer = demandAnswer(what, () -> client().put(path, body, TIMEOUT, etag), UNPROCESSABLE);
        if (!answer.isFine()) {
            ObjectNode problem = (ObjectNode) answer.json();
            List<JsonNode> errors = problem.path("errors")
                    .valueStream()
                    .filter(isIgnored.negate())
                    .toList();
            if (!errors.isEmpty()) {
                problem.putArray("errors").addAll(errors);
                problem.put("detail", errors.get(0).path("message").asString());
                throw failure(what, new Answer(answer.status(), problem.toString()));
            }
        }
    }

    /** Applies a merge patch (RFC 7396) to a resource, again if another caller changes it at the same time. */
    JsonNode patch(String path, JsonNode patch) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            String etag = demandAnswer("GET " + path, () -> client().get(path, TIMEOUT), 0)
                    .etag();
            int expected = attempt < ATTEMPTS ? CHANGED_MEANWHILE : 0;
            Answer answer = demandAnswer("PATCH " + path, () -> modifying().patch(path, patch, etag), expected);
            if (answer.isFine()) {
                return answer.json();
            }
        }
    }

    void delete(String path) throws InterruptedException {
        demand("DELETE " + path, () -> modifying().delete(path));
    }

    /** Returns a response; empty if the caller may not read it, or if it does not exist. */
    Optional<JsonNode> ifAllowed(String path) throws InterruptedException {
        try {
            return Optional.of(get(path));
        } catch (CommandFailure notAllowed) {
            if (notAllowed.isRepeatable()) {
                throw notAllowed;
            }
            return Optional.empty();
        }
    }

    /** Sends a POST request, again without a response: the service must store nothing, or reject the second one. */
    JsonNode post(String path, JsonNode body) throws InterruptedException {
        return demand("POST " + path, () -> client().post(path, body, TIMEOUT));
    }

    /** Returns all pages of a list. */
    List<JsonNode> all(String path) throws InterruptedException {
        List<JsonNode> items = new ArrayList<>();
        String next = "";
        do {
            String page = path + (path.contains("?") ? "&" : "?") + "limit=500";
            JsonNode found = get(next.isEmpty() ? page : page + "&" + parameter("cursor", next));
            found.path("items").forEach(items::add);
            next = found.path("next").asString("");
        } while (!next.isEmpty());
        return items;
    }

    /** Returns a query parameter, percent-encoded. */
    static String parameter(String name, String value) {
        return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /**
     * Returns the id of the job with this id, id prefix or name. Ended jobs count only if no active job matches.
     *
     * @throws CommandFailure if no job or several jobs match
     */
    String job(String name) throws InterruptedException {
        if (ID.matcher(name).matches()) {
            return name;
        }
        List<JsonNode> found = matching(name, all("/api/v1/jobs?" + ACTIVE_FILTER));
        return only(name, found.isEmpty() ? matching(name, all("/api/v1/jobs")) : found);
    }

    /** Returns the path of a job or an array, stated by its id, an id prefix, or its name. */
    String path(String name) throws InterruptedException {
        Optional<String> array = array(name);
        return array.isPresent() ? ARRAYS + array.get() : "/api/v1/jobs/" + job(name);
    }

    /** Returns the id of the array with this id, id prefix or name; empty if there is none, or several. */
    Optional<String> array(String name) throws InterruptedException {
        if (ID.matcher(name).matches()) {
            return ifAllowed(ARRAYS + name).filter(ArrayRow::isArray).map(array -> name);
        }
        Optional<JsonNode> arrays = ifAllowed("/api/v1/arrays?limit=500");
        List<JsonNode> found = arrays.isEmpty()
                ? List.of()
                : matching(name, arrays.get().path("items").valueStream().toList());
        return found.size() == 1 ? Optional.of(found.get(0).path("id").asString()) : Optional.empty();
    }

    private static List<JsonNode> matching(String name, List<JsonNode> jobs) {
        return jobs.stream()
                .filter(job -> job.path("id").asString().startsWith(name)
                        || job.path("name").asString().equals(name))
                .toList();
    }

    private static String only(String name, List<JsonNode> found) {
        if (found.size() == 1) {
            return found.get(0).path("id").asString();
        }
        if (found.isEmpty()) {
            throw new CommandFailure(
                    "No job has the id, id prefix or name %s. ./spur jobs --all lists the jobs.".formatted(name));
        }
        StringBuilder text = new StringBuilder(
                "%s matches %d jobs. State one of these ids or a unique prefix:".formatted(name, found.size()));
        for (JsonNode job : found.subList(0, Math.min(SHOWN_MATCHES, found.size()))) {
            text.append("%n  %s  %s  %s  %s"
                    .formatted(
                            job.path("id").asString(),
                            job.path("name").asString(),
                            job.path("state").asString(),
                            job.path("submittedAt").asString()));
        }
        throw new CommandFailure(text.toString());
    }

    private ServiceClient client() {
        ServiceTarget target = target();
        return ServiceClient.forCommand(target.url(), target::token);
    }

    private ModifyingClient modifying() {
        return new ModifyingClient(target(), TIMEOUT);
    }

    /** URL of the service, without a slash at the end. */
    String address() {
        return target().url().toString().replaceFirst("/+$", "");
    }

    private ServiceTarget target() {
        ServiceTarget target = known;
        if (target == null) {
            Map<String, String> environment = System.getenv();
            target = ServiceTarget.of(url, environment, LoginFile.ofUser(environment));
            known = target;
        }
        return target;
    }

    /** A repeatable request. */
    private interface Request {
        Answer send() throws IOException, InterruptedException;
    }

    private JsonNode demand(String what, Request request) throws InterruptedException {
        return demandAnswer(what, request, 0).json();
    }

    private Answer demandAnswer(String what, Request request, int expected) throws InterruptedException {
        return send(what, request, expected, WAITING);
    }

    /**
     * Sends a request, again if the service does not respond.
     *
     * @param expected status that is no failure, in addition to 2xx
     * @param progress text while the request takes long
     */
    private Answer send(String what, Request request, int expected, String progress) throws InterruptedException {
        ProgressLine waiting = ProgressLine.start(progress);
        try {
            for (int attempt = 1; ; attempt++) {
                try {
                    Answer answer = request.send();
                    if (answer.isFine() || answer.status() == expected) {
                        return answer;
                    }
                    throw failure(what, answer);
                } catch (IOException unreachable) {
                    if (attempt == ATTEMPTS) {
                        throw CommandFailure.unavailable(
                                "The service at %s does not respond. Check that it runs, and set its URL with SPUR_URL, --service or ./spur login."
                                        .formatted(address()));
                    }
                    Thread.sleep(attempt * 300L);
                }
            }
        } finally {
            waiting.erase();
        }
    }

    private CommandFailure failure(String what, Answer answer) {
        String text = ProblemText.of(what, answer, fieldNames);
        if (answer.status() == UNAUTHENTICATED) {
            return new CommandFailure(text + " Set SPUR_TOKEN to a token of the service, or run ./spur login.");
        }
        boolean repeatable = answer.status() == TOO_MANY || answer.status() == UNAVAILABLE;
        return repeatable ? CommandFailure.unavailable(text + " Repeat the command later.") : new CommandFailure(text);
    }
}
