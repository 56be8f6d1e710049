package dev.spur.service.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.postgres.FakeClockServer;
import dev.spur.service.testing.TestCluster;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the database server is set while replicas run on it. */
@Tag("fault")
class DatabaseClockFaultTest {
    @TempDir
    private static Path home;

    private static FakeClockServer clock;

    @BeforeAll
    static void startServer() throws Exception {
        Optional<Path> library = FakeClockServer.library();
        assumeTrue(library.isPresent(), "libfaketime is not installed, so the clock of no server can be set");
        clock = FakeClockServer.start(home, library.orElseThrow());
    }

    @AfterAll
    static void stopServer() {
        if (clock != null) {
            clock.close();
        }
    }

    @BeforeEach
    void setTheRightTime() throws Exception {
        clock.set(0);
    }

    private static Replica replica(String... settings) {
        return Replica.start(
                clock.server().jdbcUrl(), clock.server().user(), clock.server().password(), settings);
    }

    private static double secondsSince(TestCluster world, String time) {
        return world.value(Double.class, "select extract(epoch from clock_timestamp() - %s)".formatted(time));
    }

    @Test
    void aReplicaPlansSoonAfterAPlannerWasKilledAndTheClockWasSetBackByAnHour() throws Exception {
        try (Replica killed = replica();
                Replica other = replica("spur.rounds.lease=10s")) {
            TestCluster world = other.world();
            Faults.await(
                    "a planner",
                    () -> world.value(Boolean.class, "select expires_at > clock_timestamp() from planner_lease"));
            long epoch = world.value(Long.class, "select lease_term from planner_lease");
            boolean first =
                    world.value(Double.class, "select extract(epoch from lease_duration) from planner_lease") < 10;
            Replica planner = first ? killed : other;
            Replica survivor = first ? other : killed;
            TestCluster rest = survivor.world();
            planner.wire.cut();

            clock.set(-3600);
            long set = System.nanoTime();
            Faults.await(
                    "another planner",
                    () -> rest.value(Long.class, "select lease_term from planner_lease") > epoch
                            && rest.value(
                                    Boolean.class,
                                    "select bool_and(expires_at < clock_timestamp() + interval '1 min') from planner_lease"));
            rest.reset();
            rest.node("n1", 1);
            // the round of the takeover may read the state before this, and a job in the database requests no round
            String job = survivor.api
                    .post("/api/v1/jobs", Faults.submission("after the takeover"))
                    .is(201)
                    .at("/id");
            Faults.await("a plan", () -> rest.state(job).equals("RUNNING"));
            Faults.tell("clock of the database an hour back", set);
        }
    }

    @Test
    void anExecutorThatReportsIsNotLostWhenTheClockIsSetAheadByAnHour() throws Exception {
        try (Replica replica = replica("spur.executors.check-interval=100ms")) {
            TestCluster world = replica.world();
            world.reset();
            replica.api.put("/api/v1/executors/n1", """
                    {"instance": "i", "pool": "main", "acceleratorType": "A100", "devices": [{"uuid": "d0"}], "cpus": 1, "memoryGiB": 1}
                    """).is(200);
            Faults.await("a reading", () -> Math.abs(secondsSince(world, "(select read_at from database_clock)")) < 10);

            clock.set(3600);
            Faults.await(
                    "a reading after the jump",
                    () -> Math.abs(secondsSince(world, "(select read_at from database_clock)")) < 10
                            && secondsSince(world, "(select registered_at from executor)") > 3000);
            String read = world.value(String.class, "select read_at::text from database_clock");
            Faults.await(
                    "another sweep",
                    () -> !read.equals(world.value(String.class, "select read_at::text from database_clock")));

            assertThat(replica.api.get("/api/v1/executors/n1").is(200).at("/state"))
                    .isEqualTo("ALIVE");
            assertThat(-secondsSince(world, "(select reclaim_at from executor)"))
                    .isBetween(60.0, 180.0);
        }
    }
}
