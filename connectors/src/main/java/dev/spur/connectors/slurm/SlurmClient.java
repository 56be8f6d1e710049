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
 * The calls to Slurm. An answer without errors means only that there was one: slurmrestd answers 200 to changes that it
 * does not make, 200 with a list of errors to keys that it does not take, and 500 for a job that does not exist.
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

    /** The rows of a list: {@code nodes} or {@code jobs}. */
    List<JsonNode> list(String what) throws IOException, InterruptedException {
        try {
            return rows(call("GET", "/" + what, null), what);
        } catch (SlurmRejection no) {
            throw new IOException("slurmrestd gave no %s: %s".formatted(what, no.getMessage()), no);
        }
    }

    /** One job. */
    JsonNode job(String id) throws IOException, InterruptedException, SlurmRejection {
        List<JsonNode> rows = rows(call("GET", "/job/" + id, null), "jobs");
        if (rows.isEmpty()) {
            throw new SlurmRejection(SlurmRejection.NO_SUCH_JOB, "there is no job " + id);
        }
        return rows.get(0);
    }

    /** Changes members of a job. */
    void change(String id, Map<String, ?> members) throws IOException, InterruptedException, SlurmRejection {
        call("POST", "/job/" + id, JSON.writeValueAsString(members));
    }

    /** Sends a signal to all of a job, its script included. */
    void signal(String id, String name) throws IOException, InterruptedException, SlurmRejection {
        call("DELETE", "/job/%s?signal=SIG%s".formatted(id, name), null);
    }

    /** Calls a job off. */
    void cancel(String id) throws IOException, InterruptedException, SlurmRejection {
        call("DELETE", "/job/" + id, null);
    }

    /** Does what slurmrestd does not, with scontrol. */
    void control(String... arguments) throws IOException, InterruptedException, SlurmRejection {
        scontrol.run(Optional.of(tokens.current()), arguments);
    }

    private static List<JsonNode> rows(JsonNode answer, String what) throws IOException {
        if (!answer.path(what).isArray()) {
            throw new IOException("slurmrestd sent no " + what);
        }
        List<JsonNode> rows = new ArrayList<>();
        answer.path(what).forEach(rows::add);
        return rows;
    }

    private JsonNode call(String method, String path, @Nullable String body)
            throws IOException, InterruptedException, SlurmRejection {
        HttpResponse<byte[]> answer = send(method, path, body);
        if (answer.statusCode() == 401) {
            tokens.refused();
            answer = send(method, path, body);
        }
        if (answer.statusCode() == 401) {
            throw new IOException("slurmrestd does not accept the token of user " + settings.user());
        }
        JsonNode tree = read(answer);
        JsonNode error = tree.path("errors").path(0);
        if (!error.isMissingNode()) {
            String words = "%s (%s)"
                    .formatted(
                            error.path("error").asString(),
                            error.path("description").asString());
            throw new SlurmRejection(error.path("error_number").asInt(0), words);
        }
        if (answer.statusCode() / 100 != 2) {
            throw new IOException("slurmrestd answered %d to %s %s".formatted(answer.statusCode(), method, path));
        }
        return tree;
    }

    private static JsonNode read(HttpResponse<byte[]> answer) throws IOException {
        try {
            return JSON.readTree(answer.body());
        } catch (JacksonException notJson) {
            throw new IOException("slurmrestd answered %d and no JSON".formatted(answer.statusCode()), notJson);
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
