package dev.spur.service.demo;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Simulated executor of the plan on the demo nodes. After the restart penalty, each job progresses at its planned
 * goodput. It starts no process; it shows how an executor polls and reports.
 */
final class DemoExecutor {
    private static final String PLAN = "/api/v1/plans/current";
    private static final int WAIT_SECONDS = 2;

    private final DemoClient client;
    private final Map<String, Run> runs = new HashMap<>();
    private long revision;
    private long lastSeq;

    /** A simulated run of a job. */
    private static final class Run {
        private final long generation;
        private final double goodput;
        private final double end;
        private double samples;
        private long countedUntil;

        Run(long generation, double goodput, double samples, double end, long startNanos) {
            this.end = end;
            this.generation = generation;
            this.goodput = goodput;
            this.samples = samples;
            this.countedUntil = startNanos;
        }

        void advance(long now) {
            if (now > countedUntil) {
                samples += goodput * (now - countedUntil) / 1e9;
                countedUntil = now;
            }
        }
    }

    /**
     * A progress report as sent.
     *
     * @param seq milliseconds since 1970, which also ascend across restarts of this executor
     */
    private record Report(long generation, long seq, double samplesTotal, String state) {}

    DemoExecutor(DemoClient client) {
        this.client = client;
    }

    /** Polls once, waits up to a limit for a new plan, and reports the progress of every job on the demo nodes. */
    void step() throws IOException, InterruptedException {
        HttpResponse<String> answer = client.get("%s?after=%d&wait=%d".formatted(PLAN, revision, WAIT_SECONDS));
        if (answer.statusCode() == 200) {
            JsonNode newPlan = DemoClient.json(answer);
            revision = newPlan.path("revision").asLong();
            follow(newPlan);
        }
        long now = System.nanoTime();
        for (String job : Set.copyOf(runs.keySet())) {
            Run run = runs.get(job);
            if (run != null) {
                run.advance(now);
                report(job, run);
            }
        }
    }

    private void follow(JsonNode newPlan) throws IOException, InterruptedException {
        Set<String> planned = new HashSet<>();
        for (JsonNode entry : newPlan.path("running")) {
            if (!isOnDemoNodes(entry)) {
                continue;
            }
            String job = entry.path("jobId").asString();
            planned.add(job);
            Run run = runs.get(job);
            if (run == null || run.generation != entry.path("generation").asLong()) {
                start(job, entry);
            }
        }
        runs.keySet().retainAll(planned);
    }

    /** Whether all nodes of the entry belong to the demo; other nodes have their own executors. */
    private static boolean isOnDemoNodes(JsonNode entry) {
        return entry.path("allocation")
                .path("placement")
                .path(0)
                .path("node")
                .asString()
                .startsWith(DemoCluster.PREFIX);
    }

    private void start(String job, JsonNode entry) throws IOException, InterruptedException {
        JsonNode known = DemoClient.json(client.get("/api/v1/jobs/" + job));
        long penalty = (long) (entry.path("restartPenaltySeconds").asDouble() * 1e9);
        runs.put(
                job,
                new Run(
                        entry.path("generation").asLong(),
                        entry.path("goodput").asDouble(),
                        known.path("doneSamples").asDouble(),
                        known.at("/spec/work/estimated").asBoolean(false)
                                ? known.path("totalSamples").asDouble()
                                : Double.POSITIVE_INFINITY,
                        System.nanoTime() + penalty));
    }

    private void report(String job, Run run) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(job, run, run.samples < run.end ? "RUNNING" : "COMPLETED");
        if (answer.statusCode() != 200) {
            runs.remove(job);
            return;
        }
        if (DemoClient.json(answer).path("directive").asString().equals("CHECKPOINT_AND_STOP")) {
            runs.remove(job);
            JsonNode known = DemoClient.json(client.get("/api/v1/jobs/" + job));
            if (known.path("state").asString().equals("COMPLETING")) {
                send(job, run, "COMPLETED");
            }
        }
    }

    private HttpResponse<String> send(String job, Run run, String state) throws IOException, InterruptedException {
        lastSeq = Math.max(lastSeq + 1, System.currentTimeMillis());
        var report = new Report(run.generation, lastSeq, run.samples, state);
        return client.post("/api/v1/jobs/%s/progress".formatted(job), report);
    }
}
