package dev.spur.benchmarks.load;

import dev.spur.model.json.RoundJson;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** HTTP client that counts and times its requests. Thread-safe. */
final class RecordingClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** Maximum number of failures that are printed in full. */
    private static final int MAX_REPORTED = 20;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI base;
    private final LatencyRecorder recorder;
    private final AtomicInteger reported = new AtomicInteger();
    private volatile boolean over;

    RecordingClient(URI address, LatencyRecorder recorder) {
        this.base = address.resolve("/api/v1/");
        this.recorder = recorder;
    }

    /**
     * Response to a request.
     *
     * @param status HTTP status; 0 if there was no response
     * @param body response body
     */
    record Answer(int status, String body) {
        JsonNode json() {
            return RoundJson.mapper().readTree(body);
        }

        boolean isSuccessful() {
            return status / 100 == 2;
        }
    }

    /** Returns a request to {@code path} under the root of the API. */
    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT);
    }

    /** Sends a GET request. Statuses other than 200 and 304 are failures. */
    CompletableFuture<Answer> get(String what, String path) {
        return send(what, to(path).GET(), Set.of(200, 304));
    }

    /**
     * Sends a PUT or POST request with JSON. Statuses other than {@code wanted} are failures. A 409 is not a failure
     * where the plan can have changed in the meantime.
     */
    CompletableFuture<Answer> send(String what, String method, String path, String json, Set<Integer> wanted) {
        return send(
                what,
                to(path).header("Content-Type", "application/json").method(method, BodyPublishers.ofString(json)),
                wanted);
    }

    private CompletableFuture<Answer> send(String what, HttpRequest.Builder request, Set<Integer> wanted) {
        long start = System.nanoTime();
        return http.sendAsync(request.build(), BodyHandlers.ofString())
                .handle((answer, failure) -> answer == null
                        ? failed(what, new Answer(0, String.valueOf(failure)))
                        : counted(what, answer, wanted, System.nanoTime() - start));
    }

    private Answer counted(String what, HttpResponse<String> sent, Set<Integer> wanted, long nanos) {
        Answer answer = new Answer(sent.statusCode(), sent.body());
        if (!wanted.contains(answer.status())) {
            return failed(what, answer);
        }
        if (answer.status() == 409 || answer.status() == 410) {
            recorder.rejected(what);
        } else {
            recorder.answered(what, nanos);
        }
        return answer;
    }

    /** Stops counting failures, before the service shuts down. */
    void end() {
        over = true;
    }

    private Answer failed(String what, Answer answer) {
        if (over) {
            return answer;
        }
        recorder.failed(what);
        if (reported.incrementAndGet() <= MAX_REPORTED) {
            System.err.printf("%s: %d %s%n", what, answer.status(), answer.body());
        }
        return answer;
    }
}
