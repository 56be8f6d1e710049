package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.postgres.TestDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replicas as processes; the one that plans is killed by a signal while it plans, and while it publishes.
 * {@code LeaderFaultTest} covers all steps of a round in one process.
 */
@Tag("fault")
class KilledInStepTest {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");
    private static final int LIMIT_SECONDS = 60;
    private static final String JOB = """
            {"owner": "ann", "name": "a job", "spec": {"work": {"unit": "SAMPLES", "amount": 1e9},
             "elasticity": {"maxSlots": 1}, "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64},
             "profile": {"points": [{"acceleratorType": "A100", "slots": 1, "nodes": 1, "batchSize": 64,
                "samplesPerSecond": 100}]}}}
            """;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private static Path folder;

    private static final List<Replica> REPLICAS = new ArrayList<>();
    private static TestDatabase database;
    private static int started;

    /** A replica and the file that tells it where to die. */
    private record Replica(SpurProcess process, Path order) {
        void dieIn(String step) throws Exception {
            Path written = Files.writeString(order.resolveSibling(order.getFileName() + ".new"), step);
            Files.move(written, order, StandardCopyOption.ATOMIC_MOVE);
        }

        /** Submits a job of one slot. Returns its id. */
        String submit() throws Exception {
            HttpResponse<String> answer = send("jobs", JOB);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            return RoundJson.mapper().readTree(answer.body()).path("id").asString();
        }

        HttpResponse<String> send(String path, String body) throws Exception {
            Matcher address = ADDRESS.matcher(process.awaitLine("Spur is ready"));
            assertThat(address.find()).isTrue();
            HttpRequest request = HttpRequest.newBuilder(URI.create(address.group() + "/api/v1/" + path))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    @BeforeAll
    static void startThree() throws Exception {
        database = TestDatabase.migrated();
        start();
        REPLICAS.get(0).process().awaitLine("Spur is ready");
        database.execute("insert into accelerator_type (name, memory_gib) values ('A100', 40)");
        database.execute("insert into pool (name, whole_nodes) values ('main', false)");
        database.execute("""
                insert into node (id, pool, accelerator_type, devices, cpus, memory_gib, aggregation_slots,
                    price_per_slot_hour, state)
                select 'n1', 'main', 'A100', array_agg('d' || d), 64, 512, 0, 0, 'ACTIVE' from generate_series(1, 16) d
                """);
        start();
        start();
    }

    @AfterAll
    static void stopAll() throws Exception {
        for (Replica replica : REPLICAS) {
            replica.process().close();
        }
        REPLICAS.clear(); // whoever runs the class again in this process begins with its own
        database.close();
    }

    private static void start() throws Exception {
        Path order = folder.resolve("order-" + started++);
        REPLICAS.add(new Replica(
                KillableReplica.start(
                        order,
                        Map.of(
                                "SPUR_DATABASE_URL", database.jdbcUrl(),
                                "SPUR_DATABASE_USER", database.user(),
                                "SPUR_DATABASE_PASSWORD", database.password()),
                        "--server.port=0",
                        "--spur.rounds.lease=1s",
                        "--spur.rounds.renew-interval=200ms",
                        "--spur.rounds.standby-interval=100ms"),
                order));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan", "publish"})
    void aLeaderThatIsKilledIsFollowedAndNothingIsLostOrDoneTwice(String step) throws Exception {
        Replica leader = leader();
        Replica other = REPLICAS.stream()
                .filter(each -> !each.equals(leader))
                .findFirst()
                .orElseThrow();
        long epoch = number("select lease_term from planner_lease");
        leader.dieIn(step);
        String job = other.submit();
        await("the end of the leader in " + step, () -> {
            other.send("rounds", ""); // refused while one runs
            return !leader.process().isAlive();
        });
        long killed = System.nanoTime();
        await("another one that plans", () -> number("select lease_term from planner_lease") > epoch);
        await(
                "the start of the job",
                () -> number("select count(*) from job where state = 'RUNNING' and id = '%s'".formatted(job)) == 1);
        await("a round of it", () -> number("""
                        select count(*) from round where lease_term > %d and status in ('PUBLISHED', 'UNCHANGED')""".formatted(epoch)) > 0);
        // times depend on the machine, so they are told and not judged
        System.out.printf(
                Locale.ROOT,
                "leader killed in step %s: followed after %.1f s%n",
                step,
                (System.nanoTime() - killed) / 1e9);

        assertThat(number("select generation from job where id = '%s'".formatted(job)))
                .isEqualTo(1);
        assertThat(
                        number(
                                "select count(*) from plan a join plan b on a.revision < b.revision and a.lease_term > b.lease_term"))
                .as("plans of an older planner after those of a newer one")
                .isZero();
        assertThat(number("select count(*) from round where status = 'RUNNING' and lease_term <= %d".formatted(epoch)))
                .as("rounds that nobody ends")
                .isZero();
        assertThat(number("""
                        with held as (select id, piece ->> 'node' || device as device
                            from job, jsonb_array_elements(allocation -> 'placement') piece,
                                jsonb_array_elements_text(piece -> 'devices') device)
                        select count(*) from held a join held b on a.device = b.device and a.id < b.id
                        """)).as("devices of two jobs").isZero();
        REPLICAS.remove(leader);
        leader.process().close();
        start();
    }

    /** The replica whose process the lease names. */
    private static Replica leader() throws Exception {
        List<Replica> found = new ArrayList<>();
        await("a leader", () -> {
            String holder = database.text("select split_part(holder, '@', 1) from planner_lease");
            REPLICAS.stream()
                    .filter(each -> Long.toString(each.process().pid()).equals(holder))
                    .forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private static long number(String question) throws Exception {
        return Long.parseLong(database.text(question));
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("waited too long for %s", what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
