package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.postgres.FaultInjectionProxy;
import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.operations.backup.ExportWriter;
import dev.spur.service.operations.backup.Login;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A service, agents with one stated slot each, and jobs that really train: processes of their own, all of which may be
 * killed.
 */
final class TrainingSite {
    static final int SAMPLES = 3200;
    private static final Path TRAINING =
            Path.of("..", "examples", "training", "train.py").toAbsolutePath().normalize();
    /** Value of the variable A_SECRET of scripts. */
    static final String SECRET = "hunter2-hunter2-hunter2";

    private static final int BATCH = 64;
    private static final int LIMIT_SECONDS = 180;

    private final Path folder;
    private TestDatabase database = TestDatabase.migrated();
    private final FaultInjectionProxy toDatabase = FaultInjectionProxy.to(database.jdbcUrl());
    private final int port;
    private final FaultInjectionProxy toService;
    /** Each leads to the one that all agents share. */
    private final Map<String, FaultInjectionProxy> toServiceByNode = new HashMap<>();

    private final Map<String, SpurProcess> agents = new HashMap<>();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private SpurProcess service;

    TrainingSite(Path folder) throws Exception {
        this.folder = folder;
        try (var free = new ServerSocket(0)) {
            this.port = free.getLocalPort();
        }
        toService = new FaultInjectionProxy(port);
        database.execute("alter sequence gang_port restart with " + firstGangPort());
        startService();
        ObjectNode settings = (ObjectNode) get("/settings");
        settings.put("earlyRoundSeconds", 1).put("roundSeconds", 2);
        String tag = send("GET", "/settings", "").headers().firstValue("ETag").orElseThrow();
        demand(send("PUT", "/settings", settings.toString(), "If-Match", tag));
        send("PUT", "/tenants/root", "{}", "If-None-Match", "*");
    }

    /** Each test process has ports of its own, because they run on one machine at the same time. */
    private static int firstGangPort() {
        String home = System.getenv().getOrDefault("SPUR_HOME", "");
        return home.endsWith("1") ? 22_000 : home.endsWith("2") ? 24_000 : home.endsWith("3") ? 26_000 : 20_000;
    }

    /** Starts the service on the port that it had before, if it ran before. */
    void startService() throws Exception {
        service = SpurProcess.start(settings(database), "serve", "--port", Integer.toString(port));
        service.awaitLine("Spur is ready");
    }

    private Map<String, String> settings(TestDatabase of) {
        return Map.of(
                "SPUR_DATABASE_URL",
                toDatabase.through(of.jdbcUrl()),
                "SPUR_DATABASE_USER",
                of.user(),
                "SPUR_DATABASE_PASSWORD",
                of.password(),
                "SPUR_EXECUTORS_LEASE",
                "10s",
                "SPUR_EXECUTORS_GRACE",
                "4s",
                "SPUR_EXECUTORS_RETRYBACKOFF",
                "1s");
    }

    /** Exports the embedded database while the service runs. */
    void export(Path file) {
        new ExportWriter(new Login(database.jdbcUrl(), database.user(), database.password()), "test").write(file);
    }

    /** Kills the service, and starts it on a database into which an export was restored. */
    void restore(Path file) throws Exception {
        service.kill();
        TestDatabase restored = TestDatabase.create();
        SpurProcess.Result result = SpurProcess.run(settings(restored), "restore", file.toString());
        assertThat(result.status()).as(result.output()).isZero();
        database.close();
        database = restored;
        startService();
    }

    void killService() throws InterruptedException {
        service.kill();
    }

    /** Between agents and the service. */
    FaultInjectionProxy toService() {
        return toService;
    }

    /** Between the agent of a node and the service. */
    FaultInjectionProxy toService(String node) {
        return toServiceByNode.computeIfAbsent(node, name -> new FaultInjectionProxy(toService.port()));
    }

    /** Between the service and its database. */
    FaultInjectionProxy toDatabase() {
        return toDatabase;
    }

    /** Starts the agent of a node and waits until the service knows it. */
    void startAgent(String node, String... options) throws Exception {
        startAgent(node, 1, options);
    }

    /** Starts the agent of a node with so many stated slots and waits until the service knows it. */
    void startAgent(String node, int slots, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "agent",
                "--service=http://127.0.0.1:" + toService(node).port(),
                "--node=" + node,
                "--slots=" + slots,
                "--type=stated",
                "--address=127.0.0.1",
                "--state=" + folder.resolve(node),
                "--checkpoints=" + folder.resolve("checkpoints")));
        boolean statesUser = List.of(options).stream().anyMatch(option -> option.startsWith("--user"));
        if (System.getProperty("user.name").equals("root") && !statesUser) {
            words.add("--user=root");
        }
        words.addAll(List.of(options));
        agents.put(node, SpurProcess.start(Map.of(), words.toArray(String[]::new)));
        agents.get(node).awaitLine("registered as");
    }

    SpurProcess agent(String node) {
        return agents.get(node);
    }

    /** Submits a job of one slot. Returns its id. */
    String submit(String name, String... options) throws Exception {
        return submit(name, List.of(), options);
    }

    /** Submits a job of one slot that waits for preparations. Returns its id. */
    String submit(String name, List<String> dependsOn, String... options) throws Exception {
        ObjectNode job = RoundJson.mapper().createObjectNode();
        job.put("owner", "test").put("name", name);
        dependsOn.forEach(other -> job.withArray("/dependsOn").addObject().put("job", other));
        var arguments = job.putObject("command").put("program", "python3").putArray("args");
        arguments.add("-B").add(TRAINING.toString()).add("--samples").add(Integer.toString(SAMPLES));
        for (String option : options) {
            arguments.add(option);
        }
        ObjectNode spec = job.putObject("spec");
        spec.putObject("work").put("unit", "SAMPLES").put("amount", SAMPLES);
        spec.putObject("elasticity").put("maxSlots", 1);
        spec.putObject("batch")
                .put("initial", BATCH)
                .put("min", BATCH)
                .put("max", BATCH)
                .put("maxPerDevice", BATCH);
        spec.putObject("profile")
                .putArray("points")
                .addObject()
                .put("acceleratorType", "stated")
                .put("slots", 1)
                .put("nodes", 1)
                .put("batchSize", BATCH)
                .put("strategy", "ALL_REDUCE")
                .put("samplesPerSecond", 300);
        spec.put("restartPenaltySeconds", 1);
        return json(demand(send("POST", "/jobs", job.toString()))).path("id").asString();
    }

    /** Submits a job of so many slots whose ranks run a script, with a secret in its environment. Returns its id. */
    String script(String name, int slots, int maxRestarts, String script) throws Exception {
        return script("root", name, slots, maxRestarts, script);
    }

    /** Submits a job of one slot of a tenant that runs a script once. Returns its id. */
    String scriptOf(String tenant, String script) throws Exception {
        return script(tenant, "of " + tenant, 1, 0, script);
    }

    private String script(String tenant, String name, int slots, int maxRestarts, String script) throws Exception {
        ObjectNode job = RoundJson.mapper().createObjectNode();
        job.put("name", name).put("owner", "test").put("tenant", tenant);
        ObjectNode command = job.putObject("command");
        command.put("program", "sh").put("maxRestarts", maxRestarts).put("graceSeconds", 2);
        command.putArray("args").add("-c").add(script);
        command.putObject("env").put("A_SECRET", SECRET);
        ObjectNode spec = job.putObject("spec");
        spec.putObject("work").put("unit", "SAMPLES").put("amount", SAMPLES);
        spec.putObject("elasticity").put("minSlots", slots).put("maxSlots", slots);
        spec.putObject("batch")
                .put("initial", BATCH)
                .put("min", BATCH)
                .put("max", BATCH)
                .put("maxPerDevice", BATCH);
        spec.putObject("profile")
                .putArray("points")
                .addObject()
                .put("acceleratorType", "stated")
                .put("slots", slots)
                .put("nodes", slots)
                .put("batchSize", BATCH)
                .put("strategy", "ALL_REDUCE")
                .put("samplesPerSecond", 300);
        return json(demand(send("POST", "/jobs", job.toString()))).path("id").asString();
    }

    /** Submits a preparation of 1 GiB that runs a script. Returns its id. */
    String prepare(String name, String script) throws Exception {
        return prepare(name, script, 1, 1);
    }

    /** Submits a preparation that runs a script, with at least a share of its memory on its node. Returns its id. */
    String prepare(String name, String script, int workingSetGiB, double minLocalFraction) throws Exception {
        ObjectNode preparation = RoundJson.mapper().createObjectNode();
        preparation.put("kind", "DATA_PREPARATION").put("owner", "test").put("name", name);
        preparation
                .putObject("command")
                .put("program", "sh")
                .putArray("args")
                .add("-c")
                .add(script);
        ObjectNode spec = preparation.putObject("spec");
        spec.put("cpus", 1)
                .put("workingSetGiB", workingSetGiB)
                .put("minLocalFraction", minLocalFraction)
                .put("seconds", 5);
        var points = spec.putObject("slowDown").putArray("points");
        points.addObject().put("localFraction", 1).put("factor", 1);
        if (minLocalFraction < 1) {
            points.addObject().put("localFraction", minLocalFraction).put("factor", 2);
        }
        return json(demand(send("POST", "/jobs", preparation.toString())))
                .path("id")
                .asString();
    }

    JsonNode job(String id) throws Exception {
        return get("/jobs/" + id);
    }

    /** Node of the job; empty text while it has none. */
    String node(String id) throws Exception {
        return job(id).path("allocation").path("placement").path(0).path("node").asString("");
    }

    /** Waits until the service has heard of more samples than it knows now; returns how many seconds that took. */
    double awaitProgress(String id) throws Exception {
        double before = job(id).path("doneSamples").asDouble();
        long began = System.nanoTime();
        await("progress", () -> job(id).path("doneSamples").asDouble() > before);
        return (System.nanoTime() - began) / 1e9;
    }

    /** Waits for the end, and holds against each other what was asked for, what was counted, and what was saved. */
    void awaitAllItsWork(String id) throws Exception {
        await("the end", () -> job(id).path("state").asString().equals("DONE"));
        assertThat(job(id).path("doneSamples").asDouble()).isEqualTo(SAMPLES);
        assertThat(saved(id).path("samples").asInt()).isEqualTo(SAMPLES);
    }

    /** What the newest generation saved. */
    JsonNode saved(String id) throws IOException {
        try (var found = Files.walk(checkpoints(id))) {
            Path newest = found.filter(file -> file.endsWith("state.json"))
                    .sorted()
                    .reduce((older, newer) -> newer)
                    .orElseThrow();
            return RoundJson.mapper().readTree(Files.readString(newest));
        }
    }

    Path checkpoints(String id) {
        return folder.resolve("checkpoints").resolve(id);
    }

    static void signal(String signal, long process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process))
                        .start()
                        .waitFor())
                .isZero();
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("waited too long for %s", what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    JsonNode get(String path) throws Exception {
        return json(demand(send("GET", path, "")));
    }

    HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + "/api/v1" + path))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> demand(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return answer;
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return RoundJson.mapper().readTree(answer.body());
    }

    String address() {
        return "http://127.0.0.1:" + port;
    }

    /** Jobs outlive their agents, so they are cancelled first. */
    void end() throws Exception {
        try {
            for (JsonNode job : get("/jobs").path("items")) {
                send("POST", "/jobs/%s/cancel".formatted(job.path("id").asString()), "");
            }
            await("the end of all jobs", () -> DeviceWatch.holders(folder).isEmpty());
        } finally {
            for (SpurProcess agent : agents.values()) {
                agent.close();
            }
            service.close();
            for (FaultInjectionProxy wire : toServiceByNode.values()) {
                wire.close();
            }
            toService.close();
            toDatabase.close();
            database.close();
        }
    }
}
