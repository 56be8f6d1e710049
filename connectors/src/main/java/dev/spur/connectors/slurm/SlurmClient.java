package dev.spur.connectors.slurm;

import dev.spur.connectors.http.BoundedHttp;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
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
 * Client for slurmrestd. A response without errors does not confirm a change. Status 200 is also returned for changes
 * that were not made, and with a list of errors for unsupported keys; status 500 is returned for an unknown job.
 */
final class SlurmClient {
    private static final String BASE = "/slurm/v0.0.38";
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private final SlurmSettings settings;
    private final Scontrol scontrol;
    private final SlurmTokenProvider tokens;
    private final BoundedHttp http;

    SlurmClient(SlurmSettings settings) {
        this.settings = settings;
        this.scontrol = new Scontrol(settings);
        this.tokens = new SlurmTokenProvider(settings, scontrol);
        this.http = new BoundedHttp(settings.timeout());
    }

    /** Returns the rows of the list {@code nodes} or {@code jobs}. */
    List<JsonNode> list(String what) throws IOException, InterruptedException {
        try {
            return rows(call("GET", "/" + what, null), what);
        } catch (SlurmRejection rejection) {
            throw new IOException("slurmrestd returned no %s: %s".formatted(what, rejection.getMessage()), rejection);
        }
    }

    /** Returns a job. */
    JsonNode job(String id) throws IOException, InterruptedException, SlurmRejection {
        List<JsonNode> rows = rows(call("GET", "/job/" + id, null), "jobs");
        if (rows.isEmpty()) {
            throw new SlurmRejection(SlurmRejection.NO_SUCH_JOB, "unknown job " + id);
        }
        return rows.get(0);
    }

    /** Changes fields of a job. */
    void change(String id, Map<String, ?> members) throws IOException, InterruptedException, SlurmRejection {
        call("POST", "/job/" + id, JSON.writeValueAsString(members));
    }

    /** Sends a signal to all processes of a job, including its batch script. */
    void signal(String id, String name) throws IOException, InterruptedException, SlurmRejection {
        call("DELETE", "/job/%s?signal=SIG%s".formatted(id, name), null);
    }

    /** Cancels a job. */
    void cancel(String id) throws IOException, InterruptedException, SlurmRejection {
        call("DELETE", "/job/" + id, null);
    }

    /** Runs scontrol for operations that slurmrestd does not support. */
    void control(String... arguments) throws IOException, InterruptedException, SlurmRejection {
        scontrol.run(Optional.of(tokens.current()), arguments);
    }

    private static List<JsonNode> rows(JsonNode answer, String what) throws IOException {
        if (!answer.path(what).isArray()) {
            throw new IOException("slurmrestd returned no " + what);
        }
        List<JsonNode> rows = new ArrayList<>();
        answer.path(what).forEach(rows::add);
        return rows;
    }

    private JsonNode call(String method, String path, @Nullable String body)
            throws IOException, InterruptedException, SlurmRejection {
        HttpResponse<byte[]> answer = send(method, path, body);
        if (answer.statusCode() == 401) {
            tokens.reject();
            answer = send(method, path, body);
        }
        if (answer.statusCode() == 401) {
            throw new IOException("slurmrestd rejected the token of user " + settings.user());
        }
        JsonNode tree = read(answer);
        JsonNode error = tree.path("errors").path(0);
        if (!error.isMissingNode()) {
            String text = "%s (%s)"
                    .formatted(
                            error.path("error").asString(),
                            error.path("description").asString());
            throw new SlurmRejection(error.path("error_number").asInt(0), text);
        }
        if (answer.statusCode() / 100 != 2) {
            throw new IOException(
                    "slurmrestd returned status %d for %s %s".formatted(answer.statusCode(), method, path));
        }
        return tree;
    }

    private static JsonNode read(HttpResponse<byte[]> answer) throws IOException {
        try {
            return JSON.readTree(answer.body());
        } catch (JacksonException notJson) {
            throw new IOException("slurmrestd returned status %d without JSON".formatted(answer.statusCode()), notJson);
        }
    }

    private HttpResponse<byte[]> send(String method, String path, @Nullable String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(settings.url().resolve(BASE + path))
                .timeout(settings.timeout())
                .header("X-SLURM-USER-NAME", settings.user())
                .header("X-SLURM-USER-TOKEN", tokens.current())
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        return http.send(request);
    }
}
