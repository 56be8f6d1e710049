package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.allocation.NodeShare;
import dev.spur.service.SpurApplication;
import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.operations.backup.ExportFile;
import dev.spur.service.operations.backup.ExportWriter;
import dev.spur.service.operations.backup.Login;
import dev.spur.service.operations.backup.Restorer;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.testing.AnotherService;
import dev.spur.service.testing.SwitchablePolicy;
import dev.spur.service.testing.TestCluster;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An installation goes on after an export: plans, generations, registrations. Then its database is lost, and the export
 * is restored.
 */
@Tag("fault")
class RestorationTest {
    private static TestDatabase source;
    private static final FixedPolicy PLAN = new FixedPolicy();

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext service;
    private static ContractedClient api;
    private static TestCluster world;
    private static TestRounds rounds;
    private static FakeExecutor one;
    private static FakeExecutor two;

    /** Runs on n1 before and after. */
    private static String retained;
    /** Runs on n1 in the export, and on n2 since. */
    private static String moved;
    /** Waits in the export, and runs on n2 since. */
    private static String begun;
    /** Runs on n1 in the export, and is done since. */
    private static String ended;
    /** Was submitted since, and runs on n2. */
    private static String unknown;

    /** The assignment of the one that moved. */
    private static String movedSince;

    private static long version;
    private static long given;
    private static long revision;

    private final TestDatabase target = TestDatabase.create();

    @BeforeAll
    static void exportAndGoOn() {
        source = TestDatabase.create();
        serve(source);
        world.reset();
        rounds.begin();
        one = new FakeExecutor(api, "n1", 4);
        two = new FakeExecutor(api, "n2", 4);
        one.register().is(200);
        two.register().is(200);
        retained = running(one, "d0");
        moved = running(one, "d1");
        ended = running(one, "d2");
        begun = world.jobWithCommand(1);
        prepare();
        new ExportWriter(login(source), "Spur test").write(folder.resolve("export"));
        goOn();
        service.close();
    }

    @AfterAll
    static void dropTheSource() {
        source.close();
    }

    @BeforeEach
    void restore() {
        try (ExportFile export = ExportFile.open(folder.resolve("export"))) {
            String schema = new Restorer(login(target)).restore(export);
            assertThat(schema).isNotEmpty();
        }
        serve(target);
        one = one.at(api);
        two = two.at(api);
    }

    private static void prepare() {
        world.sql("insert into connector (name, kind, control_level) values ('slurm', 'SLURM', 'RESIZE')");
        world.sql("""
                insert into proposal (round_number, base_revision, status, objective_delta, body, diff) values (1, 1, 'APPROVED', 1, '{}', '{}')
                """);
        String preparation = api.post("/api/v1/jobs", """
                        {"kind": "DATA_PREPARATION", "owner": "ann", "name": "shuffle", "spec": {"cpus": 1, "workingSetGiB": 1, "minLocalFraction": 1, "seconds": 10,
                         "slowDown": {"points": [{"localFraction": 1, "factor": 1}]}}}
                        """).is(201).at("/id");
        world.sql("""
                update job set state = 'RUNNING', generation = 4,
                    resource_grant = '{"node": "n1", "cpus": 1, "localGiB": 1, "loans": [], "since": 0}' where id = ?
                """, preparation);
    }

    private static void goOn() {
        world.sql("update proposal set status = 'REJECTED'");
        world.sql("update job set state = 'CANCELLED', resource_grant = null where kind = 'DATA_PREPARATION'");
        one.release(id(moved, 1)).is(200);
        world.sql("update job set retry_at = null where id = ?", moved);
        one.exit(id(ended, 1), 0).is(200);
        put(moved, new NodeShare("n2", List.of("d1")));
        put(begun, new NodeShare("n2", List.of("d2")));
        two.register().is(200);
        run(two, moved);
        run(two, begun);
        movedSince = assignment(moved);
        unknown = running(two, "d3");
        assertThat(world.state(ended)).isEqualTo("DONE");
        version = world.value(Long.class, "select max(version) from job");
        given = Math.max(number("max(generation) from job"), number("max(number) from round"));
        revision = number("max(revision) from plan");
        assertThat(revision).isGreaterThan(4);
    }

    @AfterEach
    void end() {
        service.close();
        target.close();
    }

    @Test
    void executorsAreAskedAndNothingRunsTwice() {
        one.status(id(retained, 1) + " RUNNING").is(ProblemType.STALE_REGISTRATION);
        two.status(id(begun, 1) + " RUNNING").is(ProblemType.STALE_REGISTRATION);

        Answer ofOne = one.register(id(retained, 1) + " RUNNING").is(200);
        assertThat(ofOne.at("/confirmed/0")).isEqualTo(id(retained, 1));
        assertThat(ofOne.json().path("stop")).isEmpty();
        assertThat(List.of(world.state(retained), world.state(moved), world.state(ended)))
                .containsExactly("RUNNING", "WAITING", "WAITING");
        Answer ofTwo = two.register(movedSince + " RUNNING", id(begun, 1) + " RUNNING", id(unknown, 1) + " RUNNING")
                .is(200);
        assertThat(ofTwo.json().path("confirmed")).isEmpty();
        assertThat(ofTwo.json().path("stop")).hasSize(3);

        endTheQuietTime();
        PLAN.put(begun, new NodeShare("n1", List.of("d3")));
        put(moved, new NodeShare("n1", List.of("d1")));
        one.step(assignment(moved), "ACCEPTED").is(ProblemType.NOT_READY);
        assertThat(one.poll(moved).at("/waitFor/0/node").asString()).isEqualTo("n2");
        two.release(movedSince).is(200);
        two.release(id(begun, 1)).is(200);
        run(one, moved);
        run(one, begun);
        assertThat(List.of(world.generation(moved), world.generation(begun))).allMatch(next -> next > given);
        assertThat(world.generation(retained)).isEqualTo(1);
        assertThat(one.poll(moved).at("/checkpoint/resumeUpTo").asLong())
                .isGreaterThanOrEqualTo(given)
                .isLessThan(world.generation(moved));
    }

    @Test
    void nothingIsPlannedOrStartedBeforeTheyHaveHadTheirTime() {
        put(target, begun);

        assertThatThrownBy(rounds::begin).isInstanceOf(NoSuchElementException.class);
        assertThat(number("extract(epoch from max(recovery_ends_at) - clock_timestamp()) from restoration"))
                .isBetween(560L, 630L);
        one.register(id(retained, 1) + " RUNNING").is(200);
        one.step(id(begun, 1), "ACCEPTED").is(200);
        assertThat(one.poll(begun).path("mayStart").asBoolean()).isFalse();
        assertThat(one.step(id(begun, 1), "STARTING").is(ProblemType.NOT_READY).text())
                .contains("restored");
        service.getBean(ExecutorSweeper.class).step();
        assertThat(world.state(begun)).isEqualTo("RUNNING");

        endTheQuietTime();
        assertThat(one.poll(begun).path("mayStart").asBoolean()).isTrue();
        one.step(id(begun, 1), "STARTING").is(200);
    }

    /** As if the export had been made between an offer and its acceptance. */
    private void put(TestDatabase database, String job) {
        database.execute("""
                update job set generation = 1, state = 'RUNNING', allocated_since = now(),
                    allocation = (select jsonb_set(allocation, '{placement,0,devices}', '["d3"]') from job where id = '%2$s')
                where id = '%1$s';
                insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at) select '%1$s', 1, 1, 'START', allocation, now() from job where id = '%1$s';
                insert into assignment (job_id, generation, node, role, devices, aggregation_slots, node_rank, rank_offset, port, ready_at)
                    values ('%1$s', 1, 'n1', 'WORKER', array['d3'], 0, 0, 0, 20000, now() - interval '1 day');
                update assignment set ready_at = now() - interval '1 day' where job_id = '%1$s'
                """.formatted(job, retained));
    }

    @Test
    void noNumberIsGivenTwiceAndHistoryIsKept() {
        Answer again =
                api.get("/api/v1/plans/current?after=" + revision + "&wait=20").is(200);
        assertThat(again.json().path("revision").asLong()).isLessThan(revision);
        endTheQuietTime();

        assertThat(number("lease_term from planner_lease")).isGreaterThan(given);
        assertThat(one.register(id(retained, 1) + " RUNNING")
                        .is(200)
                        .json()
                        .path("registrationEpoch")
                        .asLong())
                .isGreaterThan(two.registrationEpoch());
        rounds.run();
        assertThat(number("max(number) from round")).isGreaterThan(given);
        assertThat(number("max(revision) from plan")).isGreaterThan(Math.max(revision, given));
        assertThat(number("min(version) from job")).isGreaterThan(version);
        assertThat(world.value(Long.class, "select seq from job where id = ?", world.job(1)))
                .isGreaterThan(1_000_000);
        rounds.run();
        assertThat(number("count(*) from plan where revision <= %d".formatted(revision)))
                .isPositive();
        assertThat(number("count(*) from round where snapshot is not null and number <= %d".formatted(given)))
                .isPositive();
        assertThat(number("count(*) from job_event where kind = 'RESTORED'")).isEqualTo(5);
    }

    @Test
    void whatCannotBeAskedIsNotGoneOnWith() {
        assertThat(
                        number(
                                "count(*) from connector where control_level = 'OBSERVE' and circuit_open_reason like 'The database was restored as of %'"))
                .isEqualTo(1);
        assertThat(
                        number(
                                "count(*) from job where kind = 'DATA_PREPARATION' and state = 'WAITING' and resource_grant is null and generation > 4"))
                .isEqualTo(1);
        assertThat(number("count(*) from proposal where status = 'SUPERSEDED'")).isEqualTo(1);
    }

    @Test
    void aRestoredDatabaseIsAdoptedOnceBeforeTheFirstRound() {
        long leaseTerm = number("lease_term from planner_lease");
        service.close();

        serve(target);

        assertThat(number("lease_term from planner_lease")).isEqualTo(leaseTerm);
        assertThat(number("count(*) from restoration where recovered_at is not null"))
                .isEqualTo(1);
        world.sql("update planner_lease set expires_at = now()");
        world.sql("insert into restoration (exported_at) values (now())");
        assertThatThrownBy(rounds::begin).isInstanceOf(NoSuchElementException.class);
    }

    private static void serve(TestDatabase database) {
        service = AnotherService.start(
                new SpringApplicationBuilder(
                        SpurApplication.class, SwitchablePolicy.class, TestCluster.class, TestRounds.class),
                "--server.port=0",
                "--spur.database.url=" + database.jdbcUrl(),
                "--spur.database.user=" + database.user(),
                "--spur.database.password=" + database.password(),
                "--spur.security.mode=local",
                "--spur.rounds.enabled=false",
                "--spur.executors.lease=10m",
                "--spur.executors.check-interval=0s");
        api = new ContractedClient(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
        world = service.getBean(TestCluster.class);
        rounds = service.getBean(TestRounds.class);
        service.getBean(SwitchablePolicy.class).use(PLAN);
    }

    private static void endTheQuietTime() {
        world.sql("update job set state = 'CANCELLED' where kind = 'DATA_PREPARATION'");
        world.sql("update restoration set recovery_ends_at = now()");
        world.sql("update planner_lease set expires_at = now()");
        rounds.begin();
    }

    private static String running(FakeExecutor executor, String device) {
        String job = world.jobWithCommand(1);
        put(job, new NodeShare(executor.node(), List.of(device)));
        run(executor, job);
        return job;
    }

    private static void put(String job, NodeShare piece) {
        PLAN.put(job, piece);
        rounds.run();
    }

    private static void run(FakeExecutor executor, String job) {
        executor.step(assignment(job), "ACCEPTED").is(200);
        executor.step(assignment(job), "STARTING").is(200);
        executor.step(assignment(job), "RUNNING").is(200);
    }

    private static String assignment(String job) {
        return id(job, world.generation(job));
    }

    private static String id(String job, long generation) {
        return job + "." + generation;
    }

    private static long number(String what) {
        return world.value(Double.class, "select " + what).longValue();
    }

    private static Login login(TestDatabase database) {
        return new Login(database.jdbcUrl(), database.user(), database.password());
    }
}
