package dev.spur.service.questions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.JobSpec;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.questions.Estimator.EtaProperties;
import dev.spur.service.rounds.RoundGate;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.service.testing.GreedyPolicy;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.testing.TestCluster;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.solver.dataprep.PreparationPlanner;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Estimates of the planner, from the end of a round to what callers read. */
class EstimatorTest extends ServiceTest {
    @Autowired
    private SnapshotReader snapshots;

    @Autowired
    private EtaStore store;

    @Autowired
    private EtaFeed feed;

    @Autowired
    private PastJobs past;

    @Autowired
    private ForecastBacktest records;

    @LocalServerPort
    private int port;

    private final RoundGate gate = new RoundGate();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Broken broken = new Broken();
    private Estimator estimator;
    private ContractedClient api;

    /** A greedy policy, unless it is told to fail. */
    private static final class Broken implements Policy {
        private volatile Policy greedy = new GreedyPolicy();
        private volatile boolean fails;

        @Override
        public String name() {
            return greedy.name();
        }

        @Override
        public Decision decide(RoundProblem problem) {
            if (fails) {
                throw new IllegalStateException("no decision today");
            }
            return greedy.decide(problem);
        }
    }

    @BeforeEach
    void start() throws InterruptedException {
        await(() -> feed.current().document() == null);
        api = new ContractedClient(port);
        estimator = new Estimator(
                broken,
                new EtaProperties(
                        true,
                        9,
                        Duration.ofHours(24),
                        Duration.ofSeconds(20),
                        Duration.ZERO,
                        500,
                        Duration.ofHours(1),
                        1),
                past,
                records,
                store,
                gate,
                new EtaMetrics(registry, feed));
        estimator.start();
        world.node("n1", 4);
    }

    @AfterEach
    void stop() {
        estimator.stop();
    }

    /** A round that carries nothing out, and tells the estimator. */
    private void round(long revision) {
        StateSnapshot snapshot = snapshots.read();
        RoundPlan plan = broken.greedy.plan(snapshot.problem());
        if (!snapshot.problem().preparations().isEmpty()) {
            plan = plan.withPreparations(PreparationPlanner.plan(snapshot.problem(), Map.of()));
        }
        estimator.onEnd(new RoundReport(
                revision,
                "test",
                snapshot,
                new RoundOutcome(RoundStatus.PUBLISHED, revision, plan, List.of(), null, null, null, List.of())));
    }

    private void awaitEstimates(long revision) throws InterruptedException {
        await(() -> feed.current().document() != null
                && feed.current().document().facts().revision() == revision);
    }

    private double count(String outcome) {
        return registry.counter("spur.etas", "outcome", outcome).count();
    }

    @Nested
    class EachJobIsToldWhatIsExpected {
        @Test
        void theSecondStartsWhenTheFirstIsDone() throws Exception {
            String first = world.job(4);
            String second = world.job(4);

            round(1);
            awaitEstimates(1);

            JsonNode one = api.get("/api/v1/jobs/" + first).is(200).json().path("eta");
            JsonNode two = api.get("/api/v1/jobs/" + second).is(200).json().path("eta");
            assertThat(two.path("revision").asLong()).isEqualTo(1);
            assertThat(two.path("coverage").asDouble()).isEqualTo(0.8);
            assertThat(two.path("start").path("outcome").asString()).isEqualTo("ESTIMATED");
            assertThat(median(two, "start"))
                    .isBetween(
                            median(one, "completion"), median(one, "completion").plusSeconds(600));
            assertThat(median(two, "completion")).isAfter(median(two, "start"));
        }

        @Test
        void allOccurrencesOfMaintenanceCount() throws Exception {
            world.sql("""
                    insert into maintenance_window (name, nodes, starts_at, ends_at, lead_seconds, recurrence_rule, time_zone)
                    select 'hourly', '{n1}', start, start + interval '1 hour', 0,
                        to_char(start at time zone 'UTC', '"FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;BYMINUTE="FMMI'), 'UTC'
                    from (select date_trunc('minute', now()) - interval '30 minutes' as start) s
                    """);
            String job = world.job(4);

            broken.greedy = Policies.spur();
            round(1);
            awaitEstimates(1);

            assertThat(api.get("/api/v1/jobs/" + job)
                            .is(200)
                            .json()
                            .at("/eta/start/outcome")
                            .asString())
                    .as("one follows the other")
                    .isEqualTo("BEYOND_HORIZON");
        }

        @Test
        void theExplanationSaysTheSame() throws Exception {
            world.job(4);
            String second = world.job(4);

            round(1);
            awaitEstimates(1);

            JsonNode explained = api.get("/api/v1/jobs/%s/explanation".formatted(second))
                    .is(200)
                    .json();
            assertThat(explained.path("eta"))
                    .isEqualTo(api.get("/api/v1/jobs/" + second).json().path("eta"));
        }

        @Test
        void theQueueSaysWhenItStarts() throws Exception {
            world.job(4);
            String second = world.job(4);
            round(1);
            awaitEstimates(1);
            String late = world.job(1);

            Map<String, JsonNode> starts = new HashMap<>();
            api.get("/api/v1/queue")
                    .is(200)
                    .json()
                    .path("items")
                    .forEach(entry -> starts.put(entry.path("jobId").asString(), entry.path("eta")));

            assertThat(starts.get(second))
                    .isEqualTo(api.get("/api/v1/jobs/" + second).json().at("/eta/start"));
            assertThat(starts.get(second).path("median").isNull()).isFalse();
            assertThat(starts.get(late).isNull()).isTrue();
        }

        @Test
        void aJobThatCameLaterHasNoneAndOneThatIsHeldWaitsForItsRelease() throws Exception {
            String held = world.job(1);
            world.sql("update job set held = true where id = ?", held);
            round(1);
            awaitEstimates(1);
            String late = world.job(1);

            assertThat(api.get("/api/v1/jobs/" + late).json().path("eta").isNull())
                    .isTrue();
            assertThat(api.get("/api/v1/jobs/" + held)
                            .json()
                            .at("/eta/start/outcome")
                            .asString())
                    .isEqualTo("HELD");
        }

        @ParameterizedTest
        @CsvSource({"RUNNING, allocated_since", "WAITING, waiting_since"})
        void aJobThatHasStartedOrStoppedSinceIsPredictedAgain(String state, String since) throws Exception {
            String job = world.job(4);
            round(1);
            awaitEstimates(1);
            assertThat(completion("/api/v1/jobs/" + job)).isEqualTo("ESTIMATED");

            world.sql(
                    "update job set state = ?, version = version + 1, %s = now() where id = ?".formatted(since),
                    state,
                    job);

            assertThat(completion("/api/v1/jobs/" + job)).isEqualTo("OUTDATED");
            assertThat(completion("/api/v1/jobs/%s/explanation".formatted(job))).isEqualTo("OUTDATED");
            assertThat(completion("/api/v1/jobs/%s/prediction".formatted(job))).isEqualTo("OUTDATED");
            round(2);
            awaitEstimates(2);
            assertThat(completion("/api/v1/jobs/" + job)).isEqualTo("ESTIMATED");
        }

        private String completion(String path) {
            return api.get(path).is(200).json().at("/eta/completion/outcome").asString();
        }

        @Test
        void newEstimatesAreANewRepresentation() throws Exception {
            String job = world.job(1);
            String before = tag(job);

            round(1);
            awaitEstimates(1);

            assertThat(tag(job)).isNotEqualTo(before);
        }

        private String tag(String job) {
            return api.get("/api/v1/jobs/" + job)
                    .raw()
                    .headers()
                    .firstValue("ETag")
                    .orElseThrow();
        }

        private static Instant median(JsonNode estimate, String of) {
            return Instant.parse(estimate.path(of).path("median").asString());
        }
    }

    @Nested
    class DataIsPrepared {
        private String preparation() {
            return api.post("/api/v1/jobs", """
                            {"kind": "DATA_PREPARATION", "owner": "ann", "name": "shuffle", "spec": {"cpus": 40, "workingSetGiB": 64, "minLocalFraction": 1, "seconds": 1800,
                             "slowDown": {"points": [{"localFraction": 1, "factor": 1}]}}}
                            """).is(201).json().path("id").asString();
        }

        private JsonNode estimate(String path) {
            return api.get(path).is(200).json().path("eta");
        }

        @Test
        void theSecondPreparationStartsWhenTheFirstIsDone() throws Exception {
            String first = preparation();
            String second = preparation();

            round(1);
            awaitEstimates(1);

            List<JsonNode> both = List.of(estimate("/api/v1/jobs/" + first), estimate("/api/v1/jobs/" + second));
            JsonNode runs = both.get(both.get(0).path("start").isNull() ? 0 : 1);
            JsonNode waits = both.get(both.get(0).path("start").isNull() ? 1 : 0);
            assertThat(EachJobIsToldWhatIsExpected.median(waits, "start"))
                    .isEqualTo(EachJobIsToldWhatIsExpected.median(runs, "completion"));
            assertThat(EachJobIsToldWhatIsExpected.median(waits, "completion"))
                    .isAfter(EachJobIsToldWhatIsExpected.median(waits, "start"));
        }

        @Test
        void aJobThatAwaitsItStartsWhenItIsDone() throws Exception {
            String data = preparation();
            String job = world.job(4);
            world.depends(job, data);

            round(1);
            awaitEstimates(1);

            Instant ready = EachJobIsToldWhatIsExpected.median(estimate("/api/v1/jobs/" + data), "completion");
            assertThat(EachJobIsToldWhatIsExpected.median(estimate("/api/v1/jobs/" + job), "start"))
                    // others may come before it, as jobs have come of late
                    .isBetween(ready.minusSeconds(120), ready.plusSeconds(3 * 3600));
        }

        @Test
        void aJobAfterAHeldPreparationHasNoEta() throws Exception {
            String held = preparation();
            String late = world.job(4);
            world.depends(late, held);
            api.post("/api/v1/jobs/" + held + "/hold").is(200);

            round(1);
            awaitEstimates(1);

            assertThat(estimate("/api/v1/jobs/" + late).at("/start/message").asString())
                    .contains("which is held");
            assertThat(estimate("/api/v1/jobs/" + held).at("/start/outcome").asString())
                    .isEqualTo("HELD");
        }
    }

    @Nested
    class TheCalendarCounts {
        @Test
        void aJobThatAReservationKeepsOffStartsAtItsEnd() throws Exception {
            broken.greedy = Policies.greedy();
            world.sql("insert into tenant (name, parent, weight, quotas) values ('other', 'root', 1, '{}')");
            world.sql("""
                    insert into reservation (name, nodes, tenant, ends_at)
                    values ('r', '{n1}', 'other', date_trunc('second', now()) + interval '2 hours')
                    """);
            Instant end = Instant.parse(
                    api.get("/api/v1/reservations/r").is(200).json().path("end").asString());
            String job = world.job(4);

            round(1);
            awaitEstimates(1);

            JsonNode estimate = api.get("/api/v1/jobs/" + job).is(200).json().path("eta");
            assertThat(estimate.at("/start/outcome").asString()).isEqualTo("ESTIMATED");
            assertThat(EachJobIsToldWhatIsExpected.median(estimate, "start"))
                    // others may come before it, as jobs have come of late
                    .isBetween(end, end.plusSeconds(3 * 3600));
        }
    }

    @Nested
    class MaintenanceCounts {
        /** A job of 2,500 s on the one node, which may not be moved. */
        private JsonNode estimateWithWindow(String start, String end) throws Exception {
            broken.greedy = Policies.greedy();
            world.sql("""
                    insert into maintenance_window (name, nodes, starts_at, ends_at, lead_seconds)
                    values ('m', '{n1}', date_trunc('second', now()) + cast(? as interval),
                        date_trunc('second', now()) + cast(? as interval), 0)
                    """, start, end);
            String job = world.job(TestCluster.spec(4).edit().preemptible(false).build());
            round(1);
            awaitEstimates(1);
            return api.get("/api/v1/jobs/" + job).is(200).json().path("eta");
        }

        private Instant end() {
            return Instant.parse(api.get("/api/v1/maintenance-windows/m")
                    .is(200)
                    .json()
                    .path("end")
                    .asString());
        }

        @ParameterizedTest
        @CsvSource({"-1 hour, 2 hours", "30 minutes, 2 hours"})
        void aJobThatAWindowKeepsOffStartsAtItsEnd(String start, String end) throws Exception {
            JsonNode estimate = estimateWithWindow(start, end);

            assertThat(estimate.at("/start/outcome").asString()).isEqualTo("ESTIMATED");
            assertThat(EachJobIsToldWhatIsExpected.median(estimate, "start"))
                    .isBetween(end(), end().plusSeconds(3 * 3600));
        }

        @Test
        void aJobThatIsDoneBeforeDoesNotWaitForIt() throws Exception {
            JsonNode estimate = estimateWithWindow("6 hours", "9 hours");

            assertThat(EachJobIsToldWhatIsExpected.median(estimate, "completion"))
                    .isBefore(end().minusSeconds(3 * 3600));
        }
    }

    @Nested
    class WhatIsBeyondTheReplayIsNotInvented {
        @Test
        void aJobBehindOneOfManyDaysIsLater() throws Exception {
            JobSpec days = TestCluster.spec(4);
            world.job(days);
            world.sql("update job set total_work = 1e12");
            String second = world.job(4);

            round(1);
            awaitEstimates(1);

            JsonNode start = api.get("/api/v1/jobs/" + second).is(200).json().at("/eta/start");
            assertThat(start.path("outcome").asString()).isEqualTo("BEYOND_HORIZON");
            assertThat(start.path("median").isNull()).isTrue();
            assertThat(start.path("horizonEnd").asString()).isNotEmpty();
        }
    }

    @Nested
    class RoundsComeFirst {
        @Test
        void noEstimateIsMadeWhileARoundRuns() throws Exception {
            world.job(4);
            world.job(4);
            gate.begins();

            round(1);
            await(() -> waits("spur-etas"));
            assertThat(feed.current().document()).isNull();
            gate.onIdle();

            awaitEstimates(1);
        }

        private static boolean waits(String name) {
            return Thread.getAllStackTraces().entrySet().stream()
                    .anyMatch(thread -> thread.getKey().getName().equals(name)
                            && java.util.Arrays.stream(thread.getValue())
                                    .anyMatch(frame -> frame.getClassName().endsWith("RoundGate")));
        }

        @Test
        void whatFailsIsCountedAndTheNextRoundHasEstimatesAgain() throws Exception {
            world.job(4);
            world.job(4);
            broken.fails = true;

            round(1);
            await(() -> count("failed") == 1);
            broken.fails = false;
            round(2);

            awaitEstimates(2);
            await(() -> count("made") == 1);
        }
    }

    @Nested
    class TheOverview {
        @Test
        void isNotThereBeforeTheFirstEstimates() {
            api.get("/api/v1/etas").is(ProblemType.NOT_FOUND);
        }

        @Test
        void saysWhatTheyAreMadeFrom() throws Exception {
            world.job(4);
            round(1);
            awaitEstimates(1);

            JsonNode overview = api.get("/api/v1/etas").is(200).json();

            assertThat(overview.path("samples").asInt()).isEqualTo(9);
            assertThat(overview.path("arrivalsPerHour").asDouble()).isEqualTo(1);
            assertThat(overview.path("cuts").isEmpty()).isTrue();
        }
    }
}
