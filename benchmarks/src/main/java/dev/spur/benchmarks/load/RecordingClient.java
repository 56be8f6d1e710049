package dev.spur.benchmarks.load;

import dev.spur.model.json.RoundJson;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.async.MinimalHttpAsyncClient;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.util.Timeout;
import tools.jackson.databind.JsonNode;

/** HTTP client that counts and times its requests. Thread-safe. */
final class RecordingClient {
    private static final Timeout TIMEOUT = Timeout.ofSeconds(60);
    /** Idle time of a connection before it is closed; less than that of the service, 60 s. */
    private static final Timeout IDLE_TIMEOUT = Timeout.ofSeconds(30);

    private static final int MAX_CONNECTIONS = 20_000;
    /** Maximum number of failures that are printed in full. */
    private static final int MAX_REPORTED = 20;

    /** Client without cookies, redirects and retries. Takes less CPU time per request than that of the JDK. */
    private final MinimalHttpAsyncClient http =
            HttpAsyncClients.createMinimal(PoolingAsyncClientConnectionManagerBuilder.create()
                    .setMaxConnTotal(MAX_CONNECTIONS)
                    .setMaxConnPerRoute(MAX_CONNECTIONS)
                    .setDefaultConnectionConfig(ConnectionConfig.custom()
                            .setConnectTimeout(TIMEOUT)
                            .setSocketTimeout(TIMEOUT)
                            .setIdleTimeout(IDLE_TIMEOUT)
                            .build())
                    .build());

    private final URI base;
    private final LatencyRecorder recorder;
    private final AtomicInteger reported = new AtomicInteger();
    private volatile boolean over;

    RecordingClient(URI address, LatencyRecorder recorder) {
        this.base = address.resolve("/api/v1/");
        this.recorder = recorder;
        http.start();
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

    /** Sends a GET request. Statuses other than 200 and 304 are failures. */
    CompletableFuture<Answer> get(String what, String path) {
        return send(what, SimpleRequestBuilder.get(base.resolve(path)).build(), Set.of(200, 304));
    }

    /**
     * Sends a PUT or POST request with JSON. Statuses other than {@code expected} are failures. A 409 is not a failure
     * where the plan can have changed in the meantime.
     */
    CompletableFuture<Answer> send(String what, String method, String path, String json, Set<Integer> expected) {
        SimpleHttpRequest request = SimpleRequestBuilder.create(method)
                .setUri(base.resolve(path))
                .setBody(json, ContentType.APPLICATION_JSON)
                .build();
        return send(what, request, expected);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback receives response and failure
    private CompletableFuture<Answer> send(String what, SimpleHttpRequest request, Set<Integer> expected) {
        long start = System.nanoTime();
        CompletableFuture<Answer> result = new CompletableFuture<>();
        http.execute(request, new FutureCallback<>() {
            @Override
            public void completed(SimpleHttpResponse response) {
                result.complete(record(what, response, expected, System.nanoTime() - start));
            }

            @Override
            public void failed(Exception failure) {
                result.complete(RecordingClient.this.recordFailure(what, new Answer(0, failure.toString())));
            }

            @Override
            public void cancelled() {
                failed(new CancellationException());
            }
        });
        return result;
    }

    private Answer record(String what, SimpleHttpResponse response, Set<Integer> expected, long nanos) {
        String body = response.getBodyText();
        Answer answer = new Answer(response.getCode(), body == null ? "" : body);
        if (!expected.contains(answer.status())) {
            return recordFailure(what, answer);
        }
        if (answer.status() == 409 || answer.status() == 410) {
            recorder.recordRejection(what);
        } else {
            recorder.recordResponse(what, nanos);
        }
        return answer;
    }

    /** Stops counting failures, before the service shuts down. */
    void end() {
        over = true;
    }

    private Answer recordFailure(String what, Answer answer) {
        if (over) {
            return answer;
        }
        recorder.recordFailure(what);
        if (reported.incrementAndGet() <= MAX_REPORTED) {
            System.err.printf("%s: %d %s%n", what, answer.status(), answer.body());
        }
        return answer;
    }
}
