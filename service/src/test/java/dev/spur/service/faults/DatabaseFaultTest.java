package dev.spur.service.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.postgres.FaultInjectionProxy;
import dev.spur.postgres.PostgresServer;
import dev.spur.postgres.UnpackedServer;
import dev.spur.service.testing.TestCluster;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica, and faults of a database server that is this test's own. */
@Tag("fault")
class DatabaseFaultTest {
    private static final String JOBS = "/api/v1/jobs";
    private static final int CLIENTS = 4;

    @TempDir
    private static Path home;

    private static PostgresServer server;
    private static Replica replica;

    @BeforeAll
    static void startServerAndReplica() throws Exception {
        UnpackedServer.linkInto(home);
        server = PostgresServer.start(home);
        // long enough that a busy machine alone does not lose it
        replica = Replica.start(server.jdbcUrl(), server.user(), server.password(), "spur.rounds.lease=10s");
        replica.world().reset();
        replica.world().node("n1", 64);
    }

    @AfterAll
    static void stopBoth() throws Exception {
        replica.close();
        server.close();
    }

    private static void theNextRoundWorks() throws Exception {
        TestCluster world = replica.world();
        // the jobs of the clients may fill the cluster
        world.sql("""
                update job set state = 'CANCELLED', allocation = null
                where is_active(state) and (allocation is null or id = (select min(id) from job where allocation is not null))
                """);
        String job = world.job(1);
        Faults.await("a round", () -> {
            replica.api.post("/api/v1/rounds");
            return world.state(job).equals("RUNNING");
        });
        world.sql("update job set state = 'CANCELLED', allocation = null where id = ?", job);
    }

    /** Kills the server as a crash does, with all of its processes. */
    private static void kill() throws Exception {
        long postmaster = Long.parseLong(
                Files.readAllLines(home.resolve("postgres/data/postmaster.pid")).get(0));
        ProcessHandle process = ProcessHandle.of(postmaster).orElseThrow();
        assertThat(process.destroyForcibly()).isTrue();
        process.onExit().get();
        server.close();
    }

    @Test
    void whileItIsGoneCallersGetAProblemAndNothingIsLost() throws Exception {
        Set<String> confirmed = new ConcurrentSkipListSet<>();
        List<Integer> others = new ArrayList<>();
        AtomicBoolean enough = new AtomicBoolean();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        for (int c = 0; c < CLIENTS; c++) {
            String client = "client-" + c + "-";
            clients.execute(() -> submitUntil(enough, client, confirmed, others));
        }
        Faults.await("some jobs", () -> confirmed.size() > 20);
        kill();
        long gone = System.nanoTime();
        Faults.await("a refusal", () -> {
            Answer answer = replica.api.get(JOBS);
            return answer.status() == 503 && answer.find("Retry-After").isPresent();
        });
        assertThat(replica.api.get("/health/live").status()).isEqualTo(200);
        int before = confirmed.size();
        server = PostgresServer.start(home);
        replica.wire.target(FaultInjectionProxy.portOf(server.jdbcUrl()));
        Faults.await("jobs again", () -> confirmed.size() > before + 20);
        Faults.tell("database killed and back", gone);
        enough.set(true);
        clients.shutdown();
        assertThat(clients.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

        assertThat(others).as("answers besides 201").isNotEmpty().containsOnly(503);
        assertThat(replica.world().value(Long.class, "select count(*) from job where external_id like 'client-%'"))
                .isEqualTo(confirmed.size());
        theNextRoundWorks();
    }

    @Test
    void afterItWasKilledOneOfTwoReplicasPlansAndNothingIsPlannedTwice() throws Exception {
        Set<String> confirmed = new ConcurrentSkipListSet<>();
        AtomicBoolean enough = new AtomicBoolean();
        ExecutorService clients = Executors.newFixedThreadPool(2 * CLIENTS);
        try (Replica other =
                Replica.start(server.jdbcUrl(), server.user(), server.password(), "spur.rounds.lease=10s")) {
            TestCluster world = replica.world();
            replica.api.put("/api/v1/executors/n9", """
                    {"instance": "i", "pool": "main", "acceleratorType": "A100", "devices": [{"uuid": "d0"}], "cpus": 1, "memoryGiB": 1}
                    """).is(200);
            List<Replica> both = List.of(replica, other);
            for (int c = 0; c < 2 * CLIENTS; c++) {
                Replica own = both.get(c % 2);
                String client = "both-" + c + "-";
                clients.execute(() -> submitUntil(own, enough, client, confirmed, new ArrayList<>()));
            }
            Faults.await("some jobs", () -> confirmed.size() > 20);
            kill();
            int before = confirmed.size();
            server = PostgresServer.start(home);
            both.forEach(each -> each.wire.target(FaultInjectionProxy.portOf(server.jdbcUrl())));
            Faults.await("jobs again", () -> confirmed.size() > before + 20);
            enough.set(true);
            clients.shutdown();
            assertThat(clients.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            theNextRoundWorks();

            assertThat(world.value(Long.class, "select count(*) from job where external_id like 'both-%'"))
                    .isEqualTo(confirmed.size());
            assertThat(both.stream()
                            .filter(each -> each.api.get("/metrics").text().contains("spur_planner 1.0")))
                    .as("replicas that plan")
                    .hasSize(1);
            assertThat(
                            world.value(
                                    Long.class,
                                    "select count(*) from plan a join plan b on a.revision < b.revision and a.lease_term > b.lease_term"))
                    .as("plans of an older planner after those of a newer one")
                    .isZero();
            assertThat(world.value(Long.class, """
                            with held as (
                                select id, piece ->> 'node' as node, device from job, jsonb_array_elements(allocation -> 'placement') piece,
                                    jsonb_array_elements_text(piece -> 'devices') device)
                            select count(*) from held a join held b on a.node = b.node and a.device = b.device and a.id < b.id
                            """)).as("devices of two jobs").isZero();
            assertThat(replica.api.get("/api/v1/executors/n9").is(200).at("/state"))
                    .isEqualTo("ALIVE");
        } finally {
            enough.set(true);
            clients.shutdownNow();
            replica.world().sql("delete from executor");
        }
    }

    private static void submitUntil(AtomicBoolean enough, String client, Set<String> confirmed, List<Integer> others) {
        submitUntil(replica, enough, client, confirmed, others);
    }

    /** Each job until it is confirmed, under one key. */
    private static void submitUntil(
            Replica own, AtomicBoolean enough, String client, Set<String> confirmed, List<Integer> others) {
        for (int number = 0; !enough.get(); number++) {
            String id = client + number;
            int status = 0;
            while (status != 201) {
                status = own.api
                        .post(JOBS, Faults.submission(id), "Idempotency-Key", id)
                        .status();
                if (status != 201) {
                    synchronized (others) {
                        others.add(status);
                    }
                }
            }
            confirmed.add(id);
        }
    }

    @Test
    void whileItIsSlowRoundsAndCallersTakeLongerAndThatIsAll() throws Exception {
        theNextRoundWorks();
        TestCluster world = replica.world();
        long epoch = world.value(Long.class, "select lease_term from planner_lease");
        replica.wire.delay(50);
        try {
            replica.api.post(JOBS, Faults.submission("slow")).is(201);
            theNextRoundWorks();
        } finally {
            replica.wire.delay(0);
        }

        assertThat(world.value(Long.class, "select lease_term from planner_lease"))
                .as("the lease was kept")
                .isEqualTo(epoch);
    }

    @Test
    void whileItRejectsWritesReadersAreServed() throws Exception {
        TestCluster world = replica.world();
        world.sql("""
                create function refuse() returns trigger language plpgsql as $$
                begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$
                """);
        for (String table : List.of("job", "plan", "round")) {
            world.sql("create trigger refuse before insert on " + table + " execute function refuse()");
        }
        assertThat(replica.api
                        .post(JOBS, Faults.submission("refused"))
                        .is(ProblemType.UNAVAILABLE)
                        .find("Retry-After"))
                .isPresent();
        replica.api.get(JOBS).is(200);

        world.sql("drop function refuse() cascade");
        replica.api.post(JOBS, Faults.submission("refused")).is(201);
        theNextRoundWorks();
    }

    @Test
    void whileItsDiskIsFullReadersAreServed() throws Exception {
        Path disk = Files.createDirectory(home.resolve("disk"));
        assumeTrue(mount(disk), "mounting a tmpfs failed (it needs root), so no disk is filled");
        try (Replica full = onA(disk)) {
            TestCluster world = full.world();
            world.reset();
            world.sql("create table filler (id bigserial, text text) ");
            fill(world);
            assertThat(full.api
                            .post(JOBS, Faults.submission("full"))
                            .is(ProblemType.UNAVAILABLE)
                            .find("Retry-After"))
                    .isPresent();
            full.api.get(JOBS).is(200);
            assertThat(full.api.get("/health/ready").status()).isEqualTo(503);

            world.sql("drop table filler");
            Faults.await("readiness", () -> full.api.get("/health/ready").status() == 200);
            long empty = System.nanoTime();
            full.api.post(JOBS, Faults.submission("full")).is(201);
            Faults.await(
                    "a round",
                    () -> world.value(String.class, "select state from job where external_id = 'full'")
                            .equals("WAITING"));
            Faults.tell("disk full and emptied", empty);
        } finally {
            execute("drop database small with (force)");
            execute("drop tablespace small");
            assertThat(run("umount", disk.toString())).isTrue();
        }
    }

    /** A replica on a database that has the disk to itself. */
    private static Replica onA(Path disk) throws IOException {
        Path data = home.resolve("postgres/data");
        Files.getFileAttributeView(disk, FileOwnerAttributeView.class).setOwner(Files.getOwner(data));
        execute("create tablespace small location '" + disk + "'");
        execute("create database small tablespace small");
        return Replica.start(server.jdbcUrl().replaceFirst("/[^/]*$", "/small"), server.user(), server.password());
    }

    /** Writes until there is no room for a page, in ever smaller pieces. */
    private static void fill(TestCluster world) {
        for (int rows = 10_000; rows >= 1; rows /= 10) {
            boolean room = true;
            while (room) {
                try {
                    world.sql("insert into filler (text) select repeat('x', 1500) from generate_series(1, ?)", rows);
                } catch (org.springframework.dao.DataAccessException full) {
                    room = false;
                }
            }
        }
    }

    private static boolean mount(Path folder) throws Exception {
        return run("mount", "-t", "tmpfs", "-o", "size=48m", "none", folder.toString());
    }

    private static boolean run(String... words) throws Exception {
        try {
            return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor() == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    private static void execute(String sql) {
        try (var connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
