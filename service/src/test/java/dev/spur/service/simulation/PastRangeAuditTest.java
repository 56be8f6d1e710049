package dev.spur.service.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.contract.ContractedClient;
import dev.spur.service.contract.ContractedClient.Answer;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.outcome.CapacityStore.Capacity;
import dev.spur.service.round.RoundGate;
import dev.spur.service.security.Role;
import dev.spur.service.simulation.SelfAuditHistory.PastJob;
import dev.spur.service.simulation.SelfAuditInput.LearnedView;
import dev.spur.service.simulation.SelfAuditQueue.SelfAuditRequest;
import dev.spur.service.snapshot.SnapshotReader;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.testing.TestCluster;
import dev.spur.simulator.audit.AuditInput;
import dev.spur.simulator.trace.RunHistory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.scheduling.TaskScheduler;
import tools.jackson.databind.JsonNode;

/** Self-audits of 10 January 2026. The service itself runs none; workers are begun by the tests. */
class PastRangeAuditTest extends ServiceTest {
    private static final String PATH = "/api/v1/self-audits";
    private static final String DAY =
            "{\"since\": \"2026-01-10T00:00:00Z\", \"until\": \"2026-01-11T00:00:00Z\", \"roundSeconds\": 60}";
    private static final Instant SINCE = Instant.parse("2026-01-10T00:00:00Z");
    private static final Instant UNTIL = Instant.parse("2026-01-11T00:00:00Z");
    private static final SimulationProperties FAST = new SimulationProperties(
            true,
            3,
            Duration.ofMinutes(10),
            2,
            Duration.ofMillis(50),
            Duration.ofMillis(50),
            Duration.ofMillis(300),
            2,
            2);
    private static final SelfAuditProperties AUDITS = new SelfAuditProperties("-", Duration.ofMinutes(10));

    @Autowired
    private SimulationStore store;

    @Autowired
    private SelfAuditHistory history;

    @Autowired
    private SelfAuditQueue queue;

    @Autowired
    private SelfAuditRun audits;

    @Autowired
    private SnapshotReader snapshots;

    @Autowired
    private TaskScheduler scheduler;

    @LocalServerPort
    private int port;

    private SimulationWorker worker;
    private ContractedClient api;

    @BeforeEach
    void prepare() {
        api = new ContractedClient(port);
        worker = new SimulationWorker(
                store, FAST, AUDITS, audits, new RoundGate(), new SimpleMeterRegistry(), scheduler);
    }

    @AfterEach
    void stop() {
        worker.stop();
    }

    /** A job with 10,000 s of work on one slot, 1,250 s on 8, and 30 s for each start. */
    private String job(String submitted, String state, String ended, double done) {
        String job = world.job(1);
        world.sql("""
                update job set submitted_at = cast(? as timestamptz), state = ?, ended_at = cast(? as timestamptz), done_work = ?
                where id = ?
                """, submitted, state, ended, done, job);
        return job;
    }

    private void held(String job, int generation, int slots, String from, String until) {
        world.sql("""
                insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at, ended_at)
                values (?, ?, 1, 'START', jsonb_build_object('placement', jsonb_build_array(jsonb_build_object(
                    'node', 'n1', 'devices', to_jsonb(array_fill('d'::text, array[?]))))), cast(? as timestamptz), cast(? as timestamptz))
                """, job, generation, slots, from, until);
    }

    private Map<String, PastJob> past() {
        return history.jobs(SINCE, UNTIL).stream().collect(Collectors.toMap(PastJob::id, Function.identity()));
    }

    @Nested
    class JobsOfTheRange {
        @Test
        void bringTheWorkThatTheyDidInIt() {
            String done = job("2026-01-09T23:00:00Z", "DONE", "2026-01-10T02:00:00Z", 1e6);
            held(done, 1, 2, "2026-01-09T23:00:00Z", "2026-01-10T00:00:00Z");
            held(done, 2, 4, "2026-01-10T00:00:00Z", "2026-01-10T01:30:00Z");
            String failed = job("2026-01-10T05:00:00Z", "FAILED", "2026-01-10T06:00:00Z", 3e5);
            String active = job("2026-01-10T05:00:00Z", "RUNNING", null, 2e5);
            job("2026-01-09T05:00:00Z", "DONE", "2026-01-09T06:00:00Z", 1e6);
            job("2026-01-11T05:00:00Z", "RUNNING", null, 0);

            Map<String, PastJob> past = past();

            assertThat(past).containsOnlyKeys(done, failed, active);
            // a quarter of the 8 slot-hours was before the range
            assertThat(past.get(done).work()).isCloseTo(0.75e6, within(1.0));
            assertThat(past.get(done).jctSeconds()).isEqualTo(10_800);
            assertThat(past.get(failed).work()).isEqualTo(3e5);
            assertThat(past.get(failed).jctSeconds()).isNull();
            assertThat(past.get(active).work()).isEqualTo(1e6);
        }

        @Test
        void countIfTheyWereSubmittedInItAndWereNotAborted() {
            world.node("n1", 8);
            job("2026-01-09T23:00:00Z", "DONE", "2026-01-10T02:00:00Z", 1e6);
            job("2026-01-10T05:00:00Z", "CANCELLED", "2026-01-10T06:00:00Z", 3e5);
            job("2026-01-10T05:00:00Z", "CANCELLED", "2026-01-10T06:00:00Z", 0);
            String counted = job("2026-01-10T06:00:00Z", "DONE", "2026-01-10T08:00:00Z", 1e6);

            AuditInput input = input().of(history.jobs(SINCE, UNTIL), List.of(), 60);

            assertThat(input.counted()).containsExactly(counted);
            assertThat(input.trace().jobs()).hasSize(3);
            assertThat(input.trace().jobs().get(0).arrival()).isZero();
            assertThat(input.trace().jobs().get(2).arrival()).isEqualTo(21_600);
        }

        @Test
        void areSeenAsStatedBeforeTheirFirstRunAndAsMeasuredAfterIt() {
            JobSpec stated = TestCluster.spec(1);
            JobSpec measured = stated.edit().restartPenaltySeconds(7).build();
            LearnedView view = new LearnedView(stated, measured);
            var ran = new RunHistory(1000, List.of(configuration()));

            assertThat(view.after(RunHistory.NONE).spec()).isSameAs(stated);
            assertThat(view.after(ran).spec()).isSameAs(measured);
            assertThat(view.after(ran).remainingSamples()).isEqualTo(999_000);
        }

        private Configuration configuration() {
            return new Configuration("main", "A100", List.of(1), SyncStrategy.ALL_REDUCE, 0, 64, 0);
        }
    }

    private SelfAuditInput input() {
        RoundProblem state = snapshots.read().problem();
        return new SelfAuditInput(SINCE, UNTIL, state);
    }

    @Nested
    class Nodes {
        @Test
        void areClosedWhileTheClusterHadFewerSlotsThanNow() {
            world.node("n1", 4);
            world.node("n2", 4);
            world.node("n3", 4);
            List<Capacity> changes = List.of(
                    new Capacity("A100", Instant.parse("2026-01-09T00:00:00Z"), 12, 0),
                    new Capacity("A100", Instant.parse("2026-01-10T01:00:00Z"), 12, 5),
                    new Capacity("A100", Instant.parse("2026-01-10T02:00:00Z"), 8, 0),
                    new Capacity("A100", Instant.parse("2026-01-10T03:00:00Z"), 16, 0));

            List<MaintenanceWindow> windows = input().closures(changes);

            assertThat(windows)
                    .extracting(MaintenanceWindow::nodes)
                    .containsExactly(List.of("n2", "n3"), List.of("n3"));
            assertThat(windows).extracting(MaintenanceWindow::start).containsExactly(3600.0, 7200.0);
            assertThat(windows).extracting(MaintenanceWindow::end).containsExactly(7200.0, 10_800.0);
        }
    }

    @Nested
    class Audits {
        @Test
        void giveTheRegretByCauseAndTheDistanceFromFifo() throws Exception {
            world.node("n1", 8);
            job("2026-01-10T00:00:00Z", "DONE", "2026-01-10T00:30:00Z", 1e6);
            Answer accepted = api.post(PATH, DAY, "Idempotency-Key", "k").is(202);
            String id = accepted.json().path("id").asString();
            assertThat(accepted.raw().headers().firstValue("Location")).contains(PATH + "/" + id);
            api.get(PATH + "/" + id + "/table").is(409);

            worker.start();
            await(() -> get(id).path("state").asString().equals("DONE"));

            JsonNode results = get(id).path("results");
            // 30 s to start and 1,250 s on 8 slots; FIFO gives one slot
            assertThat(results.at("/baseline/meanJctSeconds").asDouble()).isEqualTo(1280);
            assertThat(results.at("/references/0/meanJctSeconds").asDouble()).isEqualTo(10_030);
            assertThat(results.path("summary").asString())
                    .startsWith("Mean JCT 87.2 % below fifo, 87.2 % below fifo-backfill; lost:");
            assertThat(results.at("/observed/meanJctSeconds").asDouble()).isEqualTo(1800);
            assertThat(results.at("/observed/replayedMeanJctSeconds").asDouble())
                    .isEqualTo(1280);
            assertThat(results.path("regret").findValuesAsString("cause"))
                    .containsExactly("PREDICTIONS", "RESTARTS", "QUOTAS", "OPTIMALITY_GAP", "OBJECTIVE");
            double sum = 0;
            for (JsonNode regret : results.path("regret")) {
                sum += regret.path("seconds").asDouble();
            }
            assertThat(results.at("/total/seconds").asDouble()).isEqualTo(sum);
            assertThat(api.get(PATH + "/" + id + "/table").is(200).text().lines())
                    .hasSize(9)
                    .allMatch(line -> line.split(",", -1).length == 6);
            assertThat(api.get(PATH).is(200).json().at("/items/0/id").asString())
                    .isEqualTo(id);
            assertThat(api.get("/api/v1/simulations").is(200).json().path("items"))
                    .isEmpty();
            api.get("/api/v1/simulations/" + id).is(404);
        }

        @Test
        void ofTooManyJobsFailWithTheLimit() {
            world.node("n1", 8);
            for (int i = 0; i < 3; i++) {
                job("2026-01-10T00:00:00Z", "DONE", "2026-01-10T00:30:00Z", 1e6);
            }
            var limited = new SelfAuditRun(history, null, snapshots, null, FAST);

            assertThatThrownBy(() -> limited.run(new SelfAuditRequest(SINCE, UNTIL, 60.0), share -> {}))
                    .hasMessageContaining("3 jobs, more than the maximum of 2");
        }

        @Test
        void canBeCanceledAndRepeated() {
            String id = api.post(PATH, DAY, "Idempotency-Key", "k")
                    .is(202)
                    .json()
                    .path("id")
                    .asString();

            Answer again = api.post(PATH, DAY, "Idempotency-Key", "k").is(202);
            assertThat(again.json().path("id").asString()).isEqualTo(id);
            assertThat(again.raw().headers().firstValue("Idempotent-Replayed")).contains("true");
            api.post(PATH, "{}", "Idempotency-Key", "k").is(ProblemType.IDEMPOTENCY_KEY_REUSED);
            assertThat(api.post(PATH + "/" + id + "/cancel")
                            .is(200)
                            .json()
                            .path("state")
                            .asString())
                    .isEqualTo("CANCELLED");
            api.post(PATH + "/" + id + "/cancel").is(200);
        }

        @Test
        void coverYesterdayByDefault() {
            JsonNode request = api.post(PATH, "{}").is(202).json().path("request");

            Instant until = Instant.parse(request.path("until").asString());
            assertThat(Duration.between(Instant.parse(request.path("since").asString()), until))
                    .isEqualTo(Duration.ofDays(1));
            assertThat(until).isBefore(Instant.now()).isAfter(Instant.now().minus(Duration.ofHours(25)));
        }

        @Test
        void ofWrongRangesAreRejected() {
            Answer refused = api.post(
                            PATH, "{\"since\": \"2999-01-02T00:00:00Z\", \"until\": \"2999-01-01T00:00:00Z\"}")
                    .is(ProblemType.UNPROCESSABLE);
            assertThat(refused.json().path("errors").findValuesAsString("pointer"))
                    .containsExactly("/until", "/since");
            assertThat(api.post(PATH, "{\"since\": \"2025-01-01T00:00:00Z\", \"until\": \"2026-01-01T00:00:00Z\"}")
                            .is(ProblemType.UNPROCESSABLE)
                            .text())
                    .contains("at most 31 days");
        }

        @Test
        void areNotForCallersThatAreConfinedToTenants() {
            api.with(world.token(Role.VIEWER, "root", null)).get(PATH).is(403);
        }

        @Test
        void bySchedulesAreQueuedOnceADay() {
            queue.queueYesterday();
            queue.queueYesterday();

            JsonNode items = api.get(PATH).is(200).json().path("items");
            assertThat(items).hasSize(1);
            assertThat(items.at("/0/owner").asString()).isEqualTo("spur");
        }

        @Test
        void haveValidSchedules() {
            assertThatThrownBy(() -> new SelfAuditProperties("daily", Duration.ofHours(1)))
                    .hasMessageContaining("spur.self-audits.schedule (daily)");
            assertThat(new SelfAuditProperties("0 30 2 * * *", Duration.ofHours(1)).schedule())
                    .isNotEmpty();
        }

        private JsonNode get(String id) {
            return api.get(PATH + "/" + id).is(200).json();
        }
    }
}
