package dev.spur.service.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.contract.ContractedClient;
import dev.spur.service.contract.ContractedClient.Answer;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.round.RoundGate;
import dev.spur.service.testing.ServiceTest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.scheduling.TaskScheduler;
import tools.jackson.databind.JsonNode;

/** Simulations over REST. The service itself runs none; workers are begun by the tests. */
class SimulationTest extends ServiceTest {
    private static final String PATH = "/api/v1/simulations";
    private static final String MADE_UP = """
            {"trace": {"kind": "GENERATED", "generated": {"jobs": 5, "style": "RIGID"}}, "policies": ["fifo", "srtf"],
             "cluster": {"nodes": [{"type": "A100", "count": 1, "slots": 8}]}}
            """;
    private static final SimulationProperties FAST = new SimulationProperties(
            true,
            3,
            Duration.ofMinutes(10),
            5000,
            Duration.ofMillis(50),
            Duration.ofMillis(50),
            Duration.ofMillis(300),
            2,
            2);

    private static final SelfAuditProperties AUDITS = new SelfAuditProperties("-", Duration.ofMinutes(10));

    @Autowired
    private SimulationStore store;

    @Autowired
    private SelfAuditRun audits;

    @Autowired
    private TaskScheduler scheduler;

    @LocalServerPort
    private int port;

    private final RoundGate gate = new RoundGate();
    private SimulationWorker worker;
    private ContractedClient api;

    @BeforeEach
    void prepare() {
        api = new ContractedClient(port);
        worker = new SimulationWorker(store, FAST, AUDITS, audits, gate, new SimpleMeterRegistry(), scheduler);
    }

    @AfterEach
    void stop() {
        gate.onIdle();
        worker.stop();
    }

    private String ask(String json) {
        return api.post(PATH, json).is(202).json().path("id").asString();
    }

    private JsonNode get(String id) {
        return api.get(PATH + "/" + id).is(200).json();
    }

    private String state(String id) {
        return get(id).path("state").asString();
    }

    private void awaitState(String id, String desired) throws InterruptedException {
        await(() -> state(id).equals(desired));
    }

    @Nested
    class WhatIsAskedForIsRun {
        @Test
        void aMadeUpTraceGivesARowForEachPolicyATableAndAPage() throws Exception {
            Answer accepted = api.post(PATH, MADE_UP).is(202);
            String id = accepted.json().path("id").asString();
            assertThat(accepted.raw().headers().firstValue("Location")).contains(PATH + "/" + id);
            assertThat(api.get(PATH + "/" + id + "/table")
                            .is(409)
                            .json()
                            .path("detail")
                            .asString())
                    .contains("QUEUED");

            worker.start();
            awaitState(id, "DONE");

            JsonNode results = get(id).path("results");
            assertThat(results.valueStream().map(row -> row.path("policy").asString()))
                    .containsExactly("fifo", "srtf");
            assertThat(results.get(0).path("jobs").asInt()).isEqualTo(5);
            assertThat(get(id).path("progress").asDouble()).isEqualTo(1);
            assertThat(api.get(PATH + "/" + id + "/table").is(200).text().lines())
                    .hasSize(3);
            assertThat(api.get(PATH + "/" + id + "/report").is(200).text()).contains("<html");
        }

        @Test
        void theLiveStateIsTakenAsItWasWhenItWasAskedFor() throws Exception {
            world.node("n1", 4);
            world.job(4);
            world.job(2);
            String id = ask("{\"trace\": {\"kind\": \"LIVE\"}, \"policies\": [\"fifo\"]}");
            world.sql("delete from job");

            worker.start();
            awaitState(id, "DONE");

            assertThat(get(id).path("results").get(0).path("jobs").asInt()).isEqualTo(2);
        }

        @Test
        void anUploadedTraceRunsOnTheLiveNodes() throws Exception {
            world.node("n1", 4);
            String id = ask("""
                    {"policies": ["fifo"], "trace": {"kind": "UPLOADED", "uploaded": {
                      "models": {"m": {"initialBatch": 8, "speeds": [{"type": "A100", "slots": 1, "samplesPerSecond": 10}]}},
                      "jobs": [{"id": "j", "arrival": 0, "model": "m", "samples": 1000, "requestedSlots": 1}]}}}
                    """);

            worker.start();
            awaitState(id, "DONE");

            assertThat(get(id).path("results").get(0).path("meanJctSeconds").asDouble())
                    .isBetween(100.0, 101.0);
        }
    }

    @Nested
    class NothingAcceptedIsForgotten {
        @Test
        void aSimulationOfADeadWorkerIsRestarted() throws Exception {
            String id = ask(MADE_UP);
            assertThat(store.claim("dead", 0.3, 2)).isPresent();

            worker.start();
            awaitState(id, "DONE");

            assertThat(get(id).path("attempts").asInt()).isEqualTo(2);
        }

        @Test
        void whatKillsItsServiceEachTimeFailsAndSaysSo() throws Exception {
            String id = ask(MADE_UP);
            store.claim("dead", 0, 2);
            store.claim("dead too", 0, 2);

            worker.start();
            awaitState(id, "FAILED");

            assertThat(get(id).path("error").asString()).startsWith("The simulation was started 2 times");
        }

        @Test
        void aWorkerThatStopsGivesItsSimulationBack() throws Exception {
            gate.begins();
            String id = ask(MADE_UP);
            worker.start();
            awaitState(id, "RUNNING");

            worker.stop();

            awaitState(id, "QUEUED");
            assertThat(get(id).path("attempts").asInt()).isZero();
        }

        @Test
        void theSameKeyGivesTheSameSimulation() {
            Answer first = api.post(PATH, MADE_UP, "Idempotency-Key", "k").is(202);
            Answer again = api.post(PATH, MADE_UP, "Idempotency-Key", "\"k\"").is(202);

            assertThat(again.json().path("id")).isEqualTo(first.json().path("id"));
            assertThat(again.raw().headers().firstValue("Idempotent-Replayed")).contains("true");
            api.post(PATH, MADE_UP.replace("fifo", "spur"), "Idempotency-Key", "k")
                    .is(ProblemType.IDEMPOTENCY_KEY_REUSED);
        }
    }

    @Nested
    class TheyCanBeCalledOff {
        @Test
        void beforeTheyBeginAndAgain() {
            String id = ask(MADE_UP);

            api.post(PATH + "/" + id + "/cancel").is(200);
            api.post(PATH + "/" + id + "/cancel").is(200);

            assertThat(state(id)).isEqualTo("CANCELLED");
        }

        @Test
        void whileTheyRun() throws Exception {
            gate.begins();
            String id = ask(MADE_UP);
            worker.start();
            awaitState(id, "RUNNING");

            api.post(PATH + "/" + id + "/cancel").is(200);
            gate.onIdle();
            String next = ask(MADE_UP);
            awaitState(next, "DONE");

            assertThat(state(id)).isEqualTo("CANCELLED");
            api.post(PATH + "/" + next + "/cancel").is(ProblemType.CONFLICT);
        }
    }

    @Nested
    class TheyAreBounded {
        @Test
        void whoComesWhenTheQueueIsFullIsSentAway() {
            ask(MADE_UP);
            ask(MADE_UP);
            ask(MADE_UP);

            Answer refused = api.post(PATH, MADE_UP).is(ProblemType.TOO_MANY_REQUESTS);

            assertThat(refused.raw().headers().firstValue("Retry-After")).isPresent();
        }

        @Test
        void noneBeginsARoundOfItsReplayWhileARoundRuns() throws Exception {
            gate.begins();
            String id = ask(MADE_UP);
            worker.start();
            awaitState(id, "RUNNING");
            assertThat(get(id).path("results").isNull()).isTrue();

            gate.onIdle();

            awaitState(id, "DONE");
        }

        @Test
        void oldOnesAreForgotten() throws Exception {
            String first = ask(MADE_UP);
            String second = ask(MADE_UP);
            String third = ask(MADE_UP);

            worker.start();
            awaitState(third, "DONE");

            await(() -> api.get(PATH + "/" + first).status() == 404);
            assertThat(state(second)).isEqualTo("DONE");
        }

        @Test
        void evenIfTheyWereGivenUpWithoutARun() throws Exception {
            String old = ask(MADE_UP);
            ask(MADE_UP);
            ask(MADE_UP);
            world.sql("update simulation set state = 'FAILED', ended_at = now()");

            worker.start();

            await(() -> api.get(PATH + "/" + old).status() == 404);
        }
    }

    @Nested
    class EveryMistakeIsNamed {
        @Test
        void byTheSchema() {
            Answer refused = api.post(PATH, """
                    {"trace": {"kind": "GENERATED", "generated": {"jobs": 1e9, "load": "NaN"}}, "policies": [],
                     "roundSeconds": -1, "seed": 1.5, "colour": "red"}
                    """).is(ProblemType.INVALID_REQUEST);

            assertThat(pointers(refused))
                    .contains(
                            "/trace/generated/jobs",
                            "/trace/generated/load",
                            "/policies",
                            "/roundSeconds",
                            "/seed",
                            "/colour");
        }

        @Test
        void byWhatThereIs() {
            Answer refused = api.post(PATH, """
                    {"trace": {"kind": "LIVE"}, "policies": ["spur", "magic", "spur"]}
                    """).is(ProblemType.UNPROCESSABLE);

            assertThat(pointers(refused)).containsExactlyInAnyOrder("/policies/1", "/policies/2", "/cluster", "/trace");
        }

        @Test
        void inUploadedJobs() {
            Answer refused = api.post(PATH, """
                    {"policies": ["fifo"], "cluster": {"nodes": [{"type": "A100", "count": 5000, "slots": 64}]},
                     "trace": {"kind": "UPLOADED", "uploaded": {
                      "models": {"m": {"initialBatch": 8, "speeds": [{"type": "A100", "slots": 1, "samplesPerSecond": 10}]}},
                      "jobs": [{"id": "j", "arrival": 0, "model": "x", "samples": 1, "requestedSlots": 1, "minSlots": 2, "maxSlots": 1},
                               {"id": "j", "arrival": 0, "model": "m", "samples": 1, "requestedSlots": 1}]}}}
                    """).is(ProblemType.UNPROCESSABLE);

            assertThat(pointers(refused))
                    .containsExactlyInAnyOrder(
                            "/cluster",
                            "/trace/uploaded/jobs/0/model",
                            "/trace/uploaded/jobs/0/minSlots",
                            "/trace/uploaded/jobs/1/id");
        }

        @Test
        void whoIsUnknownIsNotFound() {
            String nobody = PATH + "/00000000-0000-0000-0000-000000000000";

            api.get(nobody).is(404);
            api.get(nobody + "/table").is(404);
            api.post(nobody + "/cancel").is(404);
        }

        private static java.util.List<String> pointers(Answer refused) {
            return refused.json()
                    .path("errors")
                    .valueStream()
                    .map(error -> error.path("pointer").asString())
                    .toList();
        }
    }
}
