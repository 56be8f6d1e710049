package dev.spur.benchmarks.load;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** HTTP client of a service. */
public final class SpurClient {
    private static final String API = "/api/v1";
    private static final Pattern HEAP =
            Pattern.compile("^jvm_memory_used_bytes\\{area=\"heap\"[^}]*} (\\S+)", Pattern.MULTILINE);
    private static final Pattern LIVE = Pattern.compile("^jvm_gc_live_data_size_bytes (\\S+)", Pattern.MULTILINE);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI address;
    private final String name;
    private final AtomicInteger submitted = new AtomicInteger();

    /** @param name part of the external ids of this client's submissions; unique within the service's database */
    public SpurClient(URI address, String name) {
        this.address = address;
        this.name = name;
    }

    /** Registers type A100, pool main, tenant root and {@code nodes} nodes of 8 slots each. */
    public void register(int nodes) throws IOException, InterruptedException {
        put("/accelerator-types/A100", "{\"memoryGiB\": 40}");
        put("/pools/main", "{}");
        put("/tenants/root", "{}");
        for (int n = 1; n <= nodes; n++) {
            put("/nodes/node-" + n, """
                    {"pool": "main", "acceleratorType": "A100", "cpus": 64, "memoryGiB": 512,
                     "devices": ["0", "1", "2", "3", "4", "5", "6", "7"]}""");
        }
    }

    /** Creates a resource; an existing one is not changed. */
    void put(String path, String json) throws IOException, InterruptedException {
        send(to(path).PUT(HttpRequest.BodyPublishers.ofString(json)), Set.of(200, 201, 428));
    }

    /**
     * Sets the round interval to one day, so that rounds start on request. Each has {@code budgetSeconds} for its plan.
     * Returns after a round, because a running service keeps the former interval until its next round: it would still
     * start an early round after a change.
     */
    public void planOnDemand(double budgetSeconds) throws IOException, InterruptedException {
        planEvery(86_400, budgetSeconds);
        plan();
    }

    /**
     * Starts a round every {@code roundSeconds}, without early rounds, each with at most {@code budgetSeconds} for its
     * plan. The period of a running service changes with its next round.
     */
    public void planEvery(double roundSeconds, double budgetSeconds) throws IOException, InterruptedException {
        planEvery(roundSeconds, budgetSeconds, null);
    }

    /**
     * Starts a round every {@code roundSeconds} with a limit of restarts.
     *
     * @param maxRestarts number of running jobs that a round may stop, move or resize; null for no limit
     */
    public void planEvery(double roundSeconds, double budgetSeconds, @Nullable Integer maxRestarts)
            throws IOException, InterruptedException {
        String settings = """
                {"roundSeconds": %1$s, "earlyRoundSeconds": %1$s,
                 "planning": {"budget": {"wallSeconds": %2$s, "work": %2$s}, "maxRestarts": %3$s}}""".formatted(roundSeconds, budgetSeconds, maxRestarts);
        send(to("/settings").header("If-Match", "*").PUT(HttpRequest.BodyPublishers.ofString(settings)), Set.of(200));
    }

    /** Returns the latest {@code count} rounds, newest first. */
    public JsonNode rounds(int count) throws IOException, InterruptedException {
        return send(to("/rounds?limit=" + count).GET(), Set.of(200));
    }

    /** Submits the job in {@code json} and returns its id. */
    String submit(String json) throws IOException, InterruptedException {
        return send(to("/jobs").POST(HttpRequest.BodyPublishers.ofString(json)), Set.of(201))
                .path("id")
                .asString();
    }

    /** Submits one job that needs more slots than an executor has, so that no round starts it. */
    String submitUnplannable() throws IOException, InterruptedException {
        return submit(job(nextId())
                .replace("\"spec\"", "\"waitForHardware\": true, \"spec\"")
                .replace("\"maxSlots\": 8", "\"minSlots\": 8, \"maxSlots\": 8"));
    }

    /** Sends a request whose response must be 200. */
    JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return send(request, Set.of(200));
    }

    /** Cancels all active jobs over {@code clients} connections. */
    public void cancelAll(int clients) throws IOException, InterruptedException {
        while (true) {
            Queue<HttpRequest> cancellations = new ConcurrentLinkedQueue<>();
            for (JsonNode job : send(to("/jobs?state=SUBMITTED&state=WAITING&state=RUNNING&limit=500")
                            .GET())
                    .path("items")) {
                cancellations.add(cancellation(job.path("id").asString()).build());
            }
            if (cancellations.isEmpty()) {
                return;
            }
            ClosedLoopLoad.run(clients, 600, cancellations::poll, Set.of(200));
        }
    }

    /** Cancels a job. */
    public void cancel(String id) throws IOException, InterruptedException {
        send(cancellation(id));
    }

    /** Returns the request that cancels a job. */
    HttpRequest.Builder cancellation(String id) {
        return to("/jobs/%s/cancel".formatted(id)).POST(HttpRequest.BodyPublishers.noBody());
    }

    /** Starts a round once no other one runs, waits until it has ended and returns its record. */
    public JsonNode plan() throws IOException, InterruptedException {
        while (true) {
            JsonNode started = send(to("/rounds").POST(HttpRequest.BodyPublishers.noBody()), Set.of(202, 409));
            if (started.has("number")) {
                return awaitRound(started.path("number").asLong());
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Returns the number of the latest round; 0 before the first. */
    public long latestRound() throws IOException, InterruptedException {
        return rounds(1).path("items").path(0).path("number").asLong(0);
    }

    /** Waits until the round of this number has ended and returns its record. */
    public JsonNode awaitRound(long number) throws IOException, InterruptedException {
        while (true) {
            JsonNode round = send(to("/rounds/" + number).GET(), Set.of(200, 404));
            if (round.has("finishedAt") && !round.path("finishedAt").isNull()) {
                return round;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    JsonNode send(HttpRequest.Builder request, Set<Integer> expected) throws IOException, InterruptedException {
        HttpRequest sent = request.setHeader("Content-Type", "application/json").build();
        HttpResponse<String> answer = http.send(sent, HttpResponse.BodyHandlers.ofString());
        if (!expected.contains(answer.statusCode())) {
            throw new IllegalStateException(
                    "%s %s: %d %s".formatted(sent.method(), sent.uri(), answer.statusCode(), answer.body()));
        }
        return RoundJson.mapper().readTree(answer.body());
    }

    /** Returns a submission of a new job: up to 8 slots, ten synthetic profile points. */
    public HttpRequest submission() {
        String id = nextId();
        return to("/jobs")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", id)
                .POST(HttpRequest.BodyPublishers.ofString(job(id)))
                .build();
    }

    private String nextId() {
        return name + "-" + submitted.incrementAndGet();
    }

    private static String job(String id) {
        List<String> points = new ArrayList<>();
        for (int slots = 1; slots <= 8; slots *= 2) {
            for (int batch = 128; batch <= 512 && points.size() < 10; batch *= 2) {
                double speed = 400 * Math.pow(slots, 0.9) * Math.pow(batch / 128.0, 0.1);
                points.add(String.format(Locale.ROOT, """
                        {"acceleratorType": "A100", "slots": %d, "nodes": 1, "batchSize": %d, "strategy": "ALL_REDUCE",
                         "samplesPerSecond": %.1f}""", slots, batch, speed));
            }
        }
        return """
                {"owner": "bench", "name": "job %s", "externalId": "%s", "spec": {
                  "work": {"unit": "SAMPLES", "amount": 1e8},
                  "elasticity": {"maxSlots": 8, "powersOfTwo": true},
                  "batch": {"initial": 128, "min": 128, "max": 512, "maxPerDevice": 512},
                  "profile": {"points": [%s]}, "restartPenaltySeconds": 30}}
                """.formatted(id, id, String.join(", ", points));
    }

    /** Submits one new job. */
    public void submit() throws IOException, InterruptedException {
        submit(job(nextId()));
    }

    /** Waits for a plan with at least {@code running} running jobs and returns it. */
    public JsonNode awaitPlan(int running) throws IOException, InterruptedException {
        long revision = 0;
        for (int polls = 0; polls < 60; polls++) {
            HttpResponse<String> answer = http.send(
                    to("/plans/current?after=%d&wait=2".formatted(revision)).build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                JsonNode plan = RoundJson.mapper().readTree(answer.body());
                revision = plan.path("revision").asLong();
                if (plan.path("running").size() >= running) {
                    return plan;
                }
            }
        }
        throw new IllegalStateException("The service published no plan with %d running jobs".formatted(running));
    }

    /** Returns a poll with {@code If-None-Match}: it returns at once, with 304 while the plan is unchanged. */
    public HttpRequest conditionalPoll() throws IOException, InterruptedException {
        HttpResponse<String> now = http.send(to("/plans/current").build(), HttpResponse.BodyHandlers.ofString());
        String tag = now.headers().firstValue("ETag").orElseThrow();
        return to("/plans/current").header("If-None-Match", tag).build();
    }

    /** Opens {@code count} long polls for a plan newer than {@code revision}. */
    public WaitingConnections waitForPlan(int count, long revision) throws IOException {
        return wait(Collections.nCopies(count, "/plans/current?after=%d&wait=30".formatted(revision)));
    }

    /** Opens one connection per path of the API. */
    WaitingConnections wait(List<String> paths) throws IOException {
        return WaitingConnections.open(
                address, paths.stream().map(path -> API + path).toList());
    }

    /** Returns the used heap of the service, MiB, garbage included. */
    public long heapMiB() throws IOException, InterruptedException {
        return metricMiB(HEAP);
    }

    /** Returns the live data of the old generation after the last full collection, MiB. */
    public long liveMiB() throws IOException, InterruptedException {
        return metricMiB(LIVE);
    }

    private long metricMiB(Pattern metric) throws IOException, InterruptedException {
        HttpRequest metrics =
                HttpRequest.newBuilder(address.resolve("/metrics")).build();
        String text = http.send(metrics, HttpResponse.BodyHandlers.ofString()).body();
        double bytes = metric.matcher(text)
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
        return Math.round(bytes / (1 << 20));
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(address.resolve(API + path));
    }
}
