package dev.spur.benchmarks.load;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** Executors with one slot each that long-poll for assignments. */
public final class PollingExecutors {
    private static final int WAIT_SECONDS = 30;

    private final SpurClient client;
    private final int count;

    public PollingExecutors(SpurClient client, int count) {
        this.client = client;
        this.count = count;
    }

    /** Registers the executors and submits one job per executor. */
    public void register() throws IOException, InterruptedException {
        for (int e = 1; e <= count; e++) {
            client.send(
                    client.to("/executors/x" + e).PUT(HttpRequest.BodyPublishers.ofString("""
                            {"instance": "x%d", "address": "127.0.0.1", "pool": "main", "acceleratorType": "A100",
                             "devices": [{"uuid": "GPU-0"}], "cpus": 8, "memoryGiB": 64}""".formatted(e))),
                    Set.of(200));
        }
        for (int j = 1; j <= count; j++) {
            client.submit("""
                    {"owner": "bench", "name": "fleet %1$d",
                     "command": {"program": "train", "checkpointDir": "/shared/fleet-%1$d"},
                     "spec": {"work": {"unit": "SAMPLES", "amount": 1e8}, "elasticity": {"maxSlots": 1},
                      "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64},
                      "profile": {"points": [{"acceleratorType": "A100", "slots": 1, "nodes": 1, "batchSize": 64,
                        "samplesPerSecond": 100}]}}}""".formatted(j));
        }
    }

    /**
     * Starts one long poll per executor. Each future returns the time at which the executor received new assignments,
     * ms since 1970.
     */
    public List<CompletableFuture<Long>> waiting() throws IOException, InterruptedException {
        List<CompletableFuture<Long>> waiting = new ArrayList<>();
        for (int e = 1; e <= count; e++) {
            String path = "/executors/x%d/assignments".formatted(e);
            JsonNode now = client.send(client.to(path).GET(), Set.of(200));
            waiting.add(poll(path, now.path("revision").asLong()));
        }
        return waiting;
    }

    /** Polls until the assignments are newer than {@code revision}. */
    private CompletableFuture<Long> poll(String path, long revision) {
        HttpRequest poll = client.to("%s?after=%d&wait=%d".formatted(path, revision, WAIT_SECONDS))
                .build();
        return client.http()
                .sendAsync(poll, HttpResponse.BodyHandlers.ofString())
                .thenCompose(answer -> answer.statusCode() == 304
                        ? poll(path, revision)
                        : CompletableFuture.completedFuture(readAt(answer)));
    }

    private static long readAt(HttpResponse<String> answer) {
        long now = System.currentTimeMillis();
        if (answer.statusCode() != 200 || !answer.body().contains("\"OFFERED\"")) {
            throw new IllegalStateException(
                    "A long poll for assignments returned status %d: %s".formatted(answer.statusCode(), answer.body()));
        }
        return now;
    }
}
