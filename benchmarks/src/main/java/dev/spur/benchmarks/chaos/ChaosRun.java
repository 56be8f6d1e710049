package dev.spur.benchmarks.chaos;

import dev.spur.simulator.report.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Submits jobs while faults happen, waits for their ends, and checks that nothing was lost. */
public final class ChaosRun {
    /** Part of the run in which jobs are submitted. */
    private static final double SUBMISSION_SHARE = 0.85;

    private static final Set<String> ENDED = Set.of("DONE", "FAILED", "CANCELLED");

    private final Path folder;
    private final ChaosSite site;
    private final List<ChaosJob> jobs;
    private final List<Fault> faults;
    private final double limitSeconds;
    private final Consumer<String> log;
    private final ReplicaClient client;
    private final FaultInjector injector;
    private final Map<String, String> idsByName = new LinkedHashMap<>();
    private final Map<String, List<ReportedCheckpoint>> reportsByName = new HashMap<>();
    private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

    /**
     * @param folder folder of the site
     * @param jobs jobs to submit
     * @param faults faults of the run
     * @param limitSeconds time after the last fault by which all jobs end, s
     * @param log receives what happens, a line each
     */
    public ChaosRun(
            Path folder,
            ChaosSite site,
            List<ChaosJob> jobs,
            List<Fault> faults,
            double limitSeconds,
            Consumer<String> log) {
        this.folder = folder;
        this.site = site;
        this.jobs = jobs;
        this.faults = faults;
        this.limitSeconds = limitSeconds;
        this.log = log;
        this.client = new ReplicaClient(site);
        this.injector = new FaultInjector(site, client, log);
    }

    /**
     * Runs for {@code seconds}, then until all jobs have ended. Returns the result by framework.
     *
     * @throws IllegalStateException if a replica rejects what it must accept
     */
    public ResultTable run(double seconds) throws IOException, InterruptedException {
        configure();
        long begin = System.nanoTime();
        Thread reports = new Thread(this::readReports, "chaos-reports");
        reports.setDaemon(true);
        reports.start();
        try {
            injector.start(faults);
            submit(begin, seconds * SUBMISSION_SHARE);
            injector.awaitHealed(faults);
            log.accept("all faults are healed");
            awaitEnds();
        } finally {
            injector.stop();
            reports.interrupt();
            reports.join();
        }
        return check();
    }

    /** Returns the injected faults by kind. */
    public ResultTable faultCounts() {
        List<List<String>> rows = new ArrayList<>();
        Map<FaultKind, Integer> counts = injector.counts();
        for (FaultKind kind : FaultKind.values()) {
            if (counts.containsKey(kind)) {
                rows.add(List.of(kind.toString(), counts.get(kind).toString()));
            }
        }
        return new ResultTable(List.of("fault", "count"), rows);
    }

    /** Returns what must hold and did not; none if all is well. */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    private void configure() throws InterruptedException {
        // A repetition of a request that was carried out gets an error, so the result is checked instead.
        client.send("PUT", "/tenants/root", "{}", "If-None-Match", "*");
        client.send("PATCH", "/settings", "{\"earlyRoundSeconds\": 1, \"roundSeconds\": 5}", "If-Match", "*");
        if (client.get("/settings").path("roundSeconds").asInt() != 5) {
            throw new IllegalStateException("The settings were not stored");
        }
    }

    private void submit(long begin, double seconds) throws IOException, InterruptedException {
        for (int i = 0; i < jobs.size(); i++) {
            long due = begin + (long) (1e9 * seconds * i / jobs.size());
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            ChaosJob job = jobs.get(i);
            Path record = Files.createDirectories(folder.resolve("records").resolve(job.name()));
            String json = job.json(site.checkpoints().resolve(job.name()), record);
            String id = client.require("POST", "/jobs", json, "Idempotency-Key", job.name())
                    .path("id")
                    .asString();
            idsByName.put(job.name(), id);
        }
        log.accept("%d jobs are acknowledged, %d requests were repeated".formatted(jobs.size(), client.repetitions()));
    }

    private void readReports() {
        try {
            while (true) {
                TimeUnit.SECONDS.sleep(1);
                readReport();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void readReport() {
        double now = System.nanoTime() / 1e9;
        try {
            reportedCheckpoints()
                    .forEach((name, samples) -> reportsByName
                            .computeIfAbsent(name, job -> new ArrayList<>())
                            .add(new ReportedCheckpoint(now, samples)));
        } catch (SQLException killed) {
            // A fault has killed the database; the next reading follows in a second.
        }
    }

    /** Returns the newest checkpoint of each job by name that the service has. */
    private Map<String, Long> reportedCheckpoints() throws SQLException {
        Map<String, Long> found = new HashMap<>();
        try (Connection connection = site.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select name, checkpoint_samples from job where checkpoint_samples is not null")) {
            while (rows.next()) {
                found.put(rows.getString(1), (long) rows.getDouble(2));
            }
        }
        return found;
    }

    private List<JsonNode> allJobs() throws InterruptedException {
        List<JsonNode> found = new ArrayList<>();
        String next = "/jobs?limit=500";
        while (true) {
            JsonNode page = client.get(next);
            page.path("items").forEach(found::add);
            String cursor = page.path("next").asString("");
            if (cursor.isEmpty()) {
                return found;
            }
            next = "/jobs?limit=500&cursor=" + cursor;
        }
    }

    private void awaitEnds() throws InterruptedException {
        long end = System.nanoTime() + (long) (1e9 * limitSeconds);
        while (System.nanoTime() < end) {
            long active = allJobs().stream()
                    .filter(job -> !ENDED.contains(job.path("state").asString()))
                    .count();
            if (active == 0) {
                log.accept("all jobs have ended");
                return;
            }
            TimeUnit.SECONDS.sleep(2);
        }
        log.accept("not all jobs have ended within %.0f s".formatted(limitSeconds));
    }

    private ResultTable check() throws IOException, InterruptedException {
        violations.addAll(injector.failures());
        violations.addAll(site.crashes());
        if (reportsByName.isEmpty()) {
            violations.add("no checkpoint was read");
        }
        Map<String, List<JsonNode>> foundByName = new HashMap<>();
        allJobs()
                .forEach(found -> foundByName
                        .computeIfAbsent(found.path("name").asString(), name -> new ArrayList<>())
                        .add(found));
        CheckpointFiles files = CheckpointFiles.load(site.checkpoints(), jobs);
        Map<String, FrameworkCount> counts = new LinkedHashMap<>();
        for (ChaosJob job : jobs) {
            FrameworkCount count = counts.computeIfAbsent(job.framework(), name -> new FrameworkCount());
            checkJob(job, foundByName.getOrDefault(job.name(), List.of()), count);
            checkTraining(job, files, count);
        }
        Set<String> unknown = new HashSet<>(foundByName.keySet());
        jobs.forEach(job -> unknown.remove(job.name()));
        unknown.forEach(name -> violations.add(name + " was not submitted"));
        List<List<String>> rows = new ArrayList<>();
        counts.forEach((framework, count) -> rows.add(count.row(framework)));
        if (counts.size() > 1) {
            FrameworkCount all = new FrameworkCount();
            counts.values().forEach(all::add);
            rows.add(all.row("all"));
        }
        return new ResultTable(FrameworkCount.HEADER, rows);
    }

    private void checkJob(ChaosJob job, List<JsonNode> found, FrameworkCount count) {
        count.acknowledged++;
        count.stated += job.statedSamples();
        String id = idsByName.getOrDefault(job.name(), "");
        if (found.size() != 1 || !found.get(0).path("id").asString().equals(id)) {
            violations.add("%s was acknowledged as %s, but the service has %d such jobs"
                    .formatted(job.name(), id, found.size()));
            return;
        }
        JsonNode state = found.get(0);
        if (!state.path("state").asString().equals("DONE")) {
            violations.add("%s is %s: %s".formatted(job.name(), state.path("state"), state.path("failure")));
            return;
        }
        count.done++;
        if (state.path("doneSamples").asDouble() != job.statedSamples()) {
            violations.add("%s states %d samples, and the service counted %s"
                    .formatted(job.name(), job.statedSamples(), state.path("doneSamples")));
        }
    }

    private void checkTraining(ChaosJob job, CheckpointFiles files, FrameworkCount count) throws IOException {
        TrainingRecord training = TrainingRecord.read(folder.resolve("records").resolve(job.name()));
        List<ReportedCheckpoint> reports = reportsByName.getOrDefault(job.name(), List.of());
        long reported =
                reports.stream().mapToLong(ReportedCheckpoint::samples).max().orElse(0);
        List<String> found = new ArrayList<>();
        training.overlaps().forEach(found::add);
        training.losses(reports).forEach(found::add);
        List<String> deviations = training.deviations(job.samples(), job.epochs());
        deviations.forEach(found::add);
        files.errors(job.name()).forEach(found::add);
        if (files.samples(job.name()) < Math.max(reported, job.statedSamples())) {
            found.add("the newest checkpoint has %d samples, the service reported %d, the job states %d"
                    .formatted(files.samples(job.name()), reported, job.statedSamples()));
        }
        found.forEach(violation -> violations.add(job.name() + ": " + violation));
        count.generations += training.generations();
        count.trained += deviations.isEmpty() ? job.statedSamples() : 0;
        count.repeated += training.trainedSamples() - job.statedSamples();
        count.checkpoints += files.count(job.name());
    }
}
