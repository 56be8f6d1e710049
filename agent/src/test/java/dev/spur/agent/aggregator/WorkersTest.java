package dev.spur.agent.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.agent.process.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers in Python that compare every sum with what it must be, bit for bit, while their shards move. */
class WorkersTest {
    private static final int WORKERS = 3;
    private static final int SHARDS = 5;
    private static final int PATIENCE_SECONDS = 120;
    private static final String WORKER = """
            import os, random, sys, time
            import spur.aggregation
            steps, code, pause = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
            seed, rank, world = os.environ["SPUR_JOB"], int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
            import array
            def part(step, rank):
                source = random.Random(f"{seed} {step} {rank}")
                return array.array(code, [source.uniform(-1, 1) for _ in range(step % 7 * 3)])
            def single(values):
                return array.array(code, values)
            with spur.aggregation.connect() as aggregation:
                for step in range(steps):
                    time.sleep(pause * random.random())
                    expected = part(step, 0)
                    for other in range(1, world):
                        expected = single([a + b for a, b in zip(expected, part(step, other))])
                    found = aggregation.sum(part(step, rank), code)
                    assert found == expected, (step, found, expected)
            print("all", steps, "sums are right")
            """;

    @TempDir
    private Path folder;

    private final List<AggregatorServer> servers = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void needsPython() {
        boolean there = Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "python3")));
        assumeTrue(there, "python3 is missing, so nobody sends anything");
    }

    @AfterEach
    void endEverything() throws IOException {
        processes.forEach(Process::destroyForcibly);
        for (AggregatorServer server : servers) {
            server.close();
        }
    }

    private AggregatorServer server() throws IOException {
        AggregatorServer server = AggregatorServer.start(0);
        servers.add(server);
        return server;
    }

    /** Starts the workers of a job. */
    private List<Process> workers(String job, long generation, int steps, String code, double pause)
            throws IOException {
        Path script = folder.resolve("worker.py");
        Files.writeString(script, WORKER);
        List<Process> workers = new ArrayList<>();
        for (int rank = 0; rank < WORKERS; rank++) {
            ProcessBuilder builder = new ProcessBuilder(
                            "python3", "-B", script.toString(), "" + steps, code, "" + pause)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(job + "-" + rank + ".log").toFile());
            builder.environment()
                    .putAll(Map.of(
                            "PYTHONPATH",
                                    Path.of("..", "python").toAbsolutePath().toString(),
                            "SPUR_JOB", job,
                            "SPUR_GENERATION", Long.toString(generation),
                            "SPUR_AGGREGATORS", places(job).toString(),
                            "RANK", Integer.toString(rank),
                            "WORLD_SIZE", Integer.toString(WORKERS)));
            workers.add(builder.start());
        }
        processes.addAll(workers);
        return workers;
    }

    private Path places(String job) {
        return folder.resolve(job + ".places");
    }

    private void tellWorkers(String job, Map<Integer, AggregatorServer> where) {
        Map<Integer, String> text = new TreeMap<>();
        where.forEach((shard, server) -> text.put(shard, "\"%d\": \"127.0.0.1:%d\"".formatted(shard, server.port())));
        SmallFile.write(places(job), "{%s}".formatted(String.join(", ", text.values())));
    }

    /** Tells the servers what lies on them. */
    private static void tellServers(
            List<AggregatorServer> servers, Map<String, Map<Integer, AggregatorServer>> jobs, long generation) {
        for (AggregatorServer server : servers) {
            List<Content.Part> parts = new ArrayList<>();
            jobs.forEach((job, where) -> {
                List<Integer> here = where.keySet().stream()
                        .filter(shard -> where.get(shard) == server)
                        .toList();
                if (!here.isEmpty()) {
                    parts.add(new Content.Part(job, generation, WORKERS, here));
                }
            });
            server.set(new Content(parts));
        }
    }

    private static Map<Integer, AggregatorServer> everywhereOn(AggregatorServer server) {
        Map<Integer, AggregatorServer> where = new HashMap<>();
        IntStream.range(0, SHARDS).forEach(shard -> where.put(shard, server));
        return where;
    }

    private void assertAllEndWell(String job, List<Process> workers) throws Exception {
        for (int rank = 0; rank < workers.size(); rank++) {
            boolean ended = workers.get(rank).waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            String log = Files.readString(folder.resolve(job + "-" + rank + ".log"));
            assertThat(ended).as(log).isTrue();
            assertThat(workers.get(rank).exitValue()).as(log).isZero();
            assertThat(log).contains("sums are right");
        }
    }

    @Test
    void severalJobsAreSummedAtOnce() throws Exception {
        AggregatorServer one = server();
        var jobs = Map.of("doubles", everywhereOn(one), "singles", everywhereOn(one));
        jobs.forEach(this::tellWorkers);
        tellServers(servers, jobs, 4);
        List<Process> doubles = workers("doubles", 4, 200, "d", 0);
        List<Process> singles = workers("singles", 4, 200, "f", 0);

        assertAllEndWell("doubles", doubles);
        assertAllEndWell("singles", singles);
    }

    @Test
    @Tag("training")
    void trainingGoesOnWhileShardsMoveAndAggregatorsEnd() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        AggregatorServer[] pair = {server(), server()};
        Map<String, Map<Integer, AggregatorServer>> jobs =
                Map.of("a", everywhereOn(pair[0]), "b", everywhereOn(pair[1]));
        jobs.forEach(this::tellWorkers);
        tellServers(servers, jobs, 1);
        List<Process> a = workers("a", 1, 400, "d", 0.01);
        List<Process> b = workers("b", 1, 400, "f", 0.01);
        int moves = 0;
        while (Stream.concat(a.stream(), b.stream()).anyMatch(Process::isAlive) && moves < 2000) {
            if (random.nextInt(8) == 0) {
                int dead = random.nextInt(2);
                AggregatorServer old = pair[dead];
                old.close();
                servers.remove(old);
                pair[dead] = server();
                jobs.values().forEach(where -> where.replaceAll((shard, on) -> on == old ? pair[dead] : on));
            }
            jobs.values()
                    .forEach(where ->
                            where.replaceAll((shard, on) -> random.nextInt(3) == 0 ? pair[random.nextInt(2)] : on));
            if (random.nextBoolean()) {
                jobs.forEach(this::tellWorkers);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(30));
                tellServers(servers, jobs, 1);
            } else {
                tellServers(servers, jobs, 1);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(30));
                jobs.forEach(this::tellWorkers);
            }
            TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(300));
            moves++;
        }

        assertAllEndWell("a", a);
        assertAllEndWell("b", b);
        assertThat(moves).isGreaterThan(5);
    }

    @Test
    void aWorkerOfAnOlderGenerationIsStopped() throws Exception {
        AggregatorServer one = server();
        var jobs = Map.of("late", everywhereOn(one));
        jobs.forEach(this::tellWorkers);
        tellServers(servers, jobs, 1);
        List<Process> workers = workers("late", 1, 1_000_000, "d", 0.001);
        TimeUnit.MILLISECONDS.sleep(500);
        tellServers(servers, jobs, 2);

        for (Process worker : workers) {
            assertThat(worker.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(worker.exitValue()).isNotZero();
        }
        assertThat(Files.readString(folder.resolve("late-0.log"))).contains("GenerationOver");
    }
}
