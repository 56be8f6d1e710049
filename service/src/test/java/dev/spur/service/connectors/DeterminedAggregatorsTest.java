package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.connectors.testing.FakeMaster;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Experiments of a made-up master that sum on aggregators which its commands really run, under a real service. */
@Tag("process")
class DeterminedAggregatorsTest extends PlatformServiceTest {
    private static final String KEY = "5b1f6f0e-8c1e-4c55-9a5b-0e6f3a1d7c42";
    private static final int WORKERS = 2;
    private static final String WORKER = """
            import array, os, pathlib, sys, time
            import spur.aggregation
            rank, stop, count = int(os.environ["RANK"]), pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
            with spur.aggregation.connect() as aggregation:
                step, ends = 0, 0
                while not ends:
                    mine = [step + 0.25 * rank + 7 * number for number in range(100)] + [float(stop.exists())]
                    total = aggregation.sum(mine)
                    for number in range(100):
                        assert total[number] == 2 * (step + 7 * number) + 0.25, (step, number, total[number])
                    ends = total[100]
                    step += 1
                    count.write_text(str(step))
                    time.sleep(0.02)
            print("all", step, "sums are right")
            """;

    private final FakeMaster master = FakeMaster.start();
    private final List<Process> processes = new ArrayList<>();

    @TempDir
    private Path folder;

    @Override
    PlatformConnection connection() {
        master.agent("gpu1", "gpu", 4, false);
        master.agent("gpu2", "gpu", 4, false);
        master.commands().run((agent, entrypoint, environment) -> Optional.of(start(entrypoint, environment, agent)));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        DeterminedProperties.Aggregators aggregators = new DeterminedProperties.Aggregators(
                address(),
                "",
                List.of(java, "-cp", System.getProperty("java.class.path"), "dev.spur.cli.Main", "aggregator"),
                "");
        return DeterminedServiceTest.settings(master, 4, aggregators)
                .connections()
                .get(0);
    }

    @Override
    void pass() {
        master.tick();
    }

    private Process start(List<String> words, Map<String, String> environment, String log) {
        try {
            var builder = new ProcessBuilder(words).redirectErrorStream(true);
            builder.redirectOutput(ProcessBuilder.Redirect.appendTo(
                    folder.resolve(log + ".log").toFile()));
            builder.environment().putAll(environment);
            Process process = builder.start();
            processes.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void giveItsNodesAggregationSlots() throws Exception {
        boolean python = Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "python3")));
        assumeTrue(python, "python3 is missing, so nobody sends anything");
        eventually(() -> count("connector_node") == 2);
        aggregationSlots("gpu1", 1);
        controlLevel("RESIZE");
    }

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
        master.close();
    }

    private void aggregationSlots(String node, int slots) {
        String path = "/api/v1/nodes/" + node;
        Answer now = api.get(path).is(200);
        api.patch(path, "{\"cpus\": 8, \"aggregationSlots\": %d}".formatted(slots), "If-Match", now.etag())
                .is(200);
    }

    private String submit() throws Exception {
        String job = master.submit(
                "gpu",
                WORKERS,
                42,
                false,
                List.of(
                        "spur",
                        "spur/gpus=2",
                        "spur/batch=64",
                        "spur/samples=1000000000",
                        "spur/gradients=808",
                        "spur/aggregation=1",
                        "spur/speeds=2:64:0:100+2:64:1:1000"),
                "SPUR_SERVICE=" + address(),
                "SPUR_JOB_KEY=" + KEY);
        eventually(() -> jobs().size() == 1);
        rounds.run();
        return job;
    }

    /**
     * What a trial of Determined runs: one process for each slot, with the environment that its owner and Determined
     * give.
     */
    private List<Process> trial(String job, String name) throws IOException {
        Path script = folder.resolve("worker.py");
        Files.writeString(script, WORKER);
        List<Process> workers = new ArrayList<>();
        for (int rank = 0; rank < WORKERS; rank++) {
            workers.add(start(
                    List.of(
                            "python3",
                            "-B",
                            script.toString(),
                            last().toString(),
                            steps(name).toString()),
                    Map.of(
                            "PYTHONPATH",
                            Path.of("..", "python").toAbsolutePath().toString(),
                            "SPUR_SERVICE",
                            address(),
                            "SPUR_JOB_KEY",
                            KEY,
                            "DET_ALLOCATION_ID",
                            master.allocation(job).orElseThrow(),
                            "RANK",
                            Integer.toString(rank),
                            "WORLD_SIZE",
                            Integer.toString(WORKERS)),
                    name + rank));
        }
        return workers;
    }

    private Path last() {
        return folder.resolve("stop");
    }

    private Path steps(String name) {
        return folder.resolve(name + ".steps");
    }

    private int made(String name) throws IOException {
        if (!Files.exists(steps(name))) {
            return 0;
        }
        String text = Files.readString(steps(name));
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    private void trainOn(String name) throws Exception {
        int before = made(name);
        eventually(() -> made(name) >= before + 20);
    }

    private JsonNode aggregators() {
        return connector().path("aggregators");
    }

    private JsonNode places(String run) {
        return api.get("/keyed/aggregation/%s/shard-locations?run=%s".formatted(KEY, run))
                .is(200)
                .json();
    }

    @Test
    void anExperimentStartsOnceItsAggregatorRunsAndTrainsOnWhileThatIsKilledAndMoved() throws Exception {
        master.commands().places(0);
        String job = submit();
        eventually(() -> aggregators().size() == 1);
        for (int look = 0; look < 5; look++) {
            pass();
            TimeUnit.MILLISECONDS.sleep(200);
        }
        assertThat(master.held(job)).isZero();
        master.commands().places(10);
        eventually(() -> master.held(job) == WORKERS);
        assertThat(aggregators().at("/0/state").asString()).isEqualTo("READY");

        List<Process> workers = trial(job, "first");
        trainOn("first");
        assertThat(places(master.allocation(job).orElseThrow()).path("strategy").asString())
                .isEqualTo("PARAMETER_SERVER");

        String killed = master.commands().alive("gpu1/0").get(0);
        master.commands().kill(killed);
        eventually(() -> master.commands().alive("gpu1/0").size() == 1
                && !master.commands().alive("gpu1/0").contains(killed));
        trainOn("first");

        aggregationSlots("gpu1", 0);
        aggregationSlots("gpu2", 1);
        rounds.run();
        eventually(() -> master.commands().alive("gpu1/0").isEmpty()
                && master.commands().alive("gpu2/0").size() == 1);
        trainOn("first");
        assertThat(master.starts(job)).isEqualTo(1);

        Files.createFile(last());
        for (Process worker : workers) {
            assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(worker.exitValue())
                    .as(Files.readString(folder.resolve("first0.log")))
                    .isZero();
        }
        master.complete(job, true);
        eventually(() -> state(job).equals("DONE"));
        rounds.run();
        eventually(() -> aggregators().isEmpty()
                && master.commands().alive("spur aggregator").isEmpty());
    }

    @Test
    void anExperimentWaitsForAnAggregatorThatRunsAndDoesNotAskWhatItIsToSum() throws Exception {
        master.commands()
                .run((agent, entrypoint, environment) ->
                        Optional.of(start(List.of("sleep", "1000"), environment, agent)));
        String job = submit();
        eventually(() -> aggregators().at("/0/state").asString().equals("RUNNING"));
        String looked = connector().path("lastSyncAt").asString();
        eventually(() -> !connector().path("lastSyncAt").asString().equals(looked));
        eventually(() -> connector().at("/syncReport/blocked").asInt() == 1);
        assertThat(master.state(job)).isEqualTo("STATE_PAUSED");

        String key = world.value(String.class, "select key::text from platform_aggregator");
        api.get("/keyed/aggregation/%s/content".formatted(key)).is(200);

        eventually(() -> master.held(job) == WORKERS);
    }

    @Test
    void aRestartedRunSumsFromTheBeginningAndAStoppingOneToItsEnd() throws Exception {
        String job = submit();
        eventually(() -> master.held(job) == WORKERS);
        String first = master.allocation(job).orElseThrow();
        List<Process> old = trial(job, "first");
        trainOn("first");

        master.restartTrial(job);
        eventually(() -> master.held(job) == WORKERS
                && !master.allocation(job).orElseThrow().equals(first));
        trial(job, "second");
        trainOn("second");
        for (Process worker : old) {
            assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(worker.exitValue()).isNotZero();
        }
        assertThat(Files.readString(folder.resolve("first0.log"))).contains("GenerationOver");
        assertThat(places(first).path("generation").isNull()).isTrue();

        String id = jobs().get(0).path("id").asString();
        api.post("/api/v1/jobs/%s/hold".formatted(id)).is(200);
        rounds.run();
        // no moment passes for the master: the experiment is told to pause, and does not yet
        int before = made("second");
        for (int look = 0; look < 200 && made("second") < before + 20; look++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        assertThat(made("second")).isGreaterThanOrEqualTo(before + 20);

        eventually(() -> master.held(job) == 0);
        eventually(() -> places(first).path("generation").isNull());
        eventually(() -> world.value(Long.class, "select count(*) from connector_job where run is not null") == 0);
        rounds.run();
        eventually(() -> aggregators().isEmpty());
    }

    @Test
    void aKeyOpensNothingButItsOwn() {
        String none = "00000000-0000-4000-8000-000000000000";
        api.get("/keyed/aggregation/%s/shard-locations?run=1.a.1".formatted(none))
                .is(404);
        api.get("/keyed/aggregation/%s/content".formatted(none)).is(404);
        api.get("/keyed/aggregation/secret/content").is(400);
    }
}
