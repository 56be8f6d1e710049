package dev.spur.service.operations.demo;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.JobSpec;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StoredJob;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Simulated executor of the plan on the demo nodes. After the stall of each change, a job progresses at its planned
 * goodput. It starts no process; it shows how an executor polls and reports. It reads the count of a job from the
 * database, where other executors read it from a checkpoint.
 */
final class DemoExecutor {
    private static final String PLAN = "/api/v1/plans/current";
    private static final int WAIT_SECONDS = 2;

    private final DemoClient client;
    private final JobStore jobs;
    private final LongSupplier nanoTime;
    private final Map<String, Run> runs = new HashMap<>();
    private long revision;
    private long lastSeq;

    /** A simulated run of a job under one allocation. */
    private static final class Run {
        private final long generation;
        private final Allocation allocation;
        private double goodput;
        private final double efficiency;
        private final double end;
        private double effectiveSamples;
        private double rawSamples;
        private long countedUntil;

        /**
         * A run that continues from the count of {@code previous}; null for the count that was reported.
         *
         * @param goodput effective samples per second
         * @param startNanos time of its first step
         */
        Run(StoredJob job, Allocation allocation, double goodput, @Nullable Run previous, long startNanos) {
            JobSpec spec = job.trainingSpec();
            this.generation = job.generation();
            this.allocation = allocation;
            this.goodput = goodput;
            this.efficiency = spec.efficiency()
                    .at(allocation.configuration().batchSize(), spec.batch().initial());
            this.end = spec.work().estimated() ? job.work().total() : Double.POSITIVE_INFINITY;
            this.effectiveSamples = previous == null ? job.work().done() : previous.effectiveSamples;
            this.rawSamples = previous == null ? job.work().raw() : previous.rawSamples;
            this.countedUntil = startNanos;
        }

        /** Continues with the goodput of a later plan. */
        void continueAt(double laterGoodput, long now) {
            advance(now);
            goodput = laterGoodput;
        }

        void advance(long now) {
            if (now > countedUntil) {
                double gained = goodput * (now - countedUntil) / 1e9;
                effectiveSamples += gained;
                rawSamples += gained / efficiency;
                countedUntil = now;
            }
        }

        boolean isComplete() {
            return effectiveSamples >= end;
        }
    }

    /**
     * A progress report as sent.
     *
     * @param seq milliseconds since 1970, which also ascend across restarts of this executor
     */
    private record Report(long generation, long seq, double samplesTotal, String state) {}

    /**
     * An executor that reports by {@code client}.
     *
     * @param nanoTime a monotonic time in nanoseconds, such as {@link System#nanoTime}
     */
    DemoExecutor(DemoClient client, JobStore jobs, LongSupplier nanoTime) {
        this.client = client;
        this.jobs = jobs;
        this.nanoTime = nanoTime;
    }

    /** Polls once, waits up to a limit for a new plan, and reports the progress of every job on the demo nodes. */
    void step() throws IOException, InterruptedException {
        HttpResponse<String> answer = client.get("%s?after=%d&wait=%d".formatted(PLAN, revision, WAIT_SECONDS));
        if (answer.statusCode() == 200) {
            JsonNode newPlan = DemoClient.json(answer);
            revision = newPlan.path("revision").asLong();
            follow(newPlan);
        }
        long now = nanoTime.getAsLong();
        for (String job : Set.copyOf(runs.keySet())) {
            Run run = runs.get(job);
            if (run != null) {
                run.advance(now);
                report(job, run);
            }
        }
    }

    private void follow(JsonNode newPlan) {
        Set<String> planned = new HashSet<>();
        for (JsonNode entry : newPlan.path("running")) {
            if (!isOnDemoNodes(entry)) {
                continue;
            }
            String job = entry.path("jobId").asString();
            planned.add(job);
            jobs.find(job).ifPresent(stored -> adopt(stored, entry));
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

    /** Starts a job, or adopts another allocation. Ignores an entry that a later plan has replaced. */
    private void adopt(StoredJob job, JsonNode entry) {
        Allocation allocation = job.allocation();
        if (allocation == null || job.generation() != entry.path("generation").asLong()) {
            return;
        }
        Run run = runs.get(job.id());
        Run continued = run != null && run.generation == job.generation() ? run : null;
        ChangeMechanism mechanism =
                job.trainingSpec().change(continued == null ? null : continued.allocation, allocation);
        double goodput = entry.path("goodput").asDouble();
        if (mechanism == ChangeMechanism.UNCHANGED && continued != null) {
            continued.continueAt(goodput, nanoTime.getAsLong());
            return;
        }
        long start = nanoTime.getAsLong();
        if (run != null) {
            run.advance(start);
        }
        if (continued != null) {
            start = continued.countedUntil; // after the rest of an earlier stall
        }
        long stall = (long) (job.trainingSpec().stallSeconds(mechanism) * 1e9);
        runs.put(job.id(), new Run(job, allocation, goodput, run, start + stall));
    }

    private void report(String job, Run run) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(job, run, run.isComplete() ? "COMPLETED" : "RUNNING");
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
        var report = new Report(run.generation, lastSeq, run.rawSamples, state);
        return client.post("/api/v1/jobs/%s/progress".formatted(job), report);
    }
}
