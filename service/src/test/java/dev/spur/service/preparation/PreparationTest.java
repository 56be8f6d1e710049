package dev.spur.service.preparation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.preparation.Grant;
import dev.spur.model.preparation.Loan;
import dev.spur.model.round.Deferral;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.Proof;
import dev.spur.model.round.ReasonToken;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.worth.PreparationWorth;
import dev.spur.service.contract.ContractedClient;
import dev.spur.service.contract.ContractedClient.Answer;
import dev.spur.service.round.TestRounds;
import dev.spur.service.testing.Client;
import dev.spur.service.testing.GreedyPolicy;
import dev.spur.service.testing.ServiceTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Jobs that prepare data, from their submission to the start of those that wait for them. */
class PreparationTest extends ServiceTest {
    @LocalServerPort
    int port;

    @Autowired
    TestRounds rounds;

    private ContractedClient api;
    private final Map<String, Grant> grants = new LinkedHashMap<>();

    @BeforeEach
    void aClusterOfTwoNodes() {
        world.node("n1", 4);
        world.node("n2", 4);
        rounds.begin();
        api = new ContractedClient(port);
        grants.clear();
        policy.use(this::granting);
    }

    /** Grants what the test says. */
    private RoundPlan granting(RoundProblem problem) {
        List<PlannedPreparation> running = new ArrayList<>();
        List<Deferral> waiting = new ArrayList<>();
        PreparationWorth worth = new PreparationWorth(problem);
        problem.preparations().forEach(preparation -> {
            Grant grant = grants.get(preparation.id());
            Grant held = preparation.grant();
            if (grant == null) {
                waiting.add(new Deferral(
                        preparation.id(),
                        ReasonToken.MEMORY_LOCAL,
                        null,
                        null,
                        null,
                        waiting.size() + 1,
                        "There is no room."));
            } else {
                double since = held != null && held.node().equals(grant.node()) ? held.since() : problem.now();
                Grant given = new Grant(grant.node(), grant.cpus(), grant.localGiB(), grant.loans(), since);
                double slowDown = preparation.spec().slowDown(given.localGiB(), given.borrowedGiB());
                running.add(new PlannedPreparation(
                        preparation.id(), given, slowDown, worth.of(preparation, given), "It fits."));
            }
        });
        running.sort((one, other) -> one.jobId().compareTo(other.jobId()));
        RoundPlan plan = new GreedyPolicy().decide(problem).plan();
        double all = running.stream().mapToDouble(PlannedPreparation::worth).sum();
        return problem.preparations().isEmpty()
                ? plan
                : plan.withPreparations(
                        new PreparationPlan(running, waiting, Proof.of(SolveStatus.BUDGET_SPENT, all, all + 1, 0)));
    }

    private static String submission(String more) {
        return """
                {"owner": "ann", "name": "shuffle"%s, "spec": {"cpus": 8, "workingSetGiB": 64, "leastLocalShare": 0.5, "seconds": 1800,
                 "slowDown": {"points": [{"localShare": 0.5, "factor": 1.6}, {"localShare": 1, "factor": 1}]}}}
                """.formatted(more);
    }

    private String submitted() {
        return submitted("");
    }

    private String submitted(String more) {
        return api.post("/api/v1/preparations", submission(more))
                .is(201)
                .json()
                .path("id")
                .asString();
    }

    private JsonNode shown(String id) {
        return api.get("/api/v1/preparations/" + id).is(200).json();
    }

    private void runs(String id) {
        grants.put(id, new Grant("n1", 8, 48, List.of(new Loan("n2", 16)), 0));
        rounds.run();
    }

    private Answer report(String id, long generation, long seq, String state) {
        return api.post("/api/v1/preparations/%s/progress".formatted(id), """
                {"generation": %d, "seq": %d, "doneSeconds": 600, "state": "%s", "activity": {"n2": 7}}
                """.formatted(generation, seq, state));
    }

    private String jobAwaiting(String... preparations) {
        String awaits = preparations.length == 0 ? "" : "\"" + String.join("\", \"", preparations) + "\"";
        return api.post("/api/v1/jobs", job(awaits)).is(201).json().path("id").asString();
    }

    private static String job(String awaits) {
        return """
                {"owner": "ann", "name": "train", "awaits": [%s], "spec": {"work": {"unit": "SAMPLES", "amount": 1000000},
                 "elasticity": {"minSlots": 1, "maxSlots": 4}, "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64},
                 "profile": {"points": [{"acceleratorType": "A100", "slots": 1, "nodes": 1, "batchSize": 64, "samplesPerSecond": 100}]}}}
                """.formatted(awaits);
    }

    @Nested
    class ALife {
        @Test
        void beginsWithWaitingForARound() throws InterruptedException {
            String id = submitted();

            assertThat(shown(id).path("waiting").path("reason").asString()).isEqualTo("NOT_EVALUATED_YET");

            rounds.run();
            awaitFeed();

            assertThat(shown(id).path("waiting").path("reason").asString()).isEqualTo("MEMORY_LOCAL");
            assertThat(shown(id).path("waiting").path("sentence").asString()).isEqualTo("There is no room.");
        }

        @Test
        void holdsWhatThePlanGrants() throws InterruptedException {
            String id = submitted();

            runs(id);
            awaitFeed();

            JsonNode shown = shown(id);
            assertThat(shown.path("state").asString()).isEqualTo("RUNNING");
            assertThat(shown.path("generation").asInt()).isEqualTo(1);
            assertThat(shown.at("/grant/loans/0/lender").asString()).isEqualTo("n2");
            assertThat(shown.path("slowDown").asDouble()).isEqualTo(1.3);
            JsonNode entry = api.get("/api/v1/plans/current").is(200).json().at("/preparations/running/0");
            assertThat(entry.path("preparationId").asString()).isEqualTo(id);
            assertThat(entry.path("sentence").asString()).isEqualTo("It fits.");
        }

        @Test
        void keepsItsGenerationWhenOnlyItsLoansChange() {
            String id = submitted();
            runs(id);

            grants.put(id, new Grant("n1", 8, 48, List.of(), 0));
            rounds.run();

            assertThat(shown(id).path("generation").asInt()).isEqualTo(1);
            assertThat(shown(id).at("/grant/loans").isEmpty()).isTrue();
        }

        @Test
        void countsWhatIsReportedOnce() {
            String id = submitted();
            runs(id);

            assertThat(report(id, 1, 5, "RUNNING")
                            .is(202)
                            .json()
                            .path("applied")
                            .asBoolean())
                    .isTrue();
            assertThat(report(id, 1, 5, "RUNNING")
                            .is(202)
                            .json()
                            .path("applied")
                            .asBoolean())
                    .isFalse();

            assertThat(shown(id).path("remainingSeconds").asDouble()).isEqualTo(1200);
            assertThat(world.value(String.class, "select activity::text from preparation where id = ?", id))
                    .isEqualTo("{\"n2\": 7.0}");
        }

        @Test
        void endsWithAReport() {
            String id = submitted();
            runs(id);

            report(id, 1, 5, "COMPLETED").is(202);

            assertThat(shown(id).path("state").asString()).isEqualTo("DONE");
            assertThat(shown(id).path("grant").isNull()).isTrue();
            report(id, 1, 6, "RUNNING").is(410);
        }

        @Test
        void refusesReportsOfAnotherGeneration() {
            String id = submitted();
            report(id, 1, 1, "RUNNING").is(409);
            runs(id);

            report(id, 2, 1, "RUNNING").is(409);
        }

        @Test
        void beginsAgainAfterAFailureAsOftenAsItsCommandSays() {
            String id = submitted(", \"command\": {\"program\": \"sort\", \"maxRestarts\": 1}");
            runs(id);

            report(id, 1, 1, "FAILED").is(202);

            assertThat(shown(id).at("/waiting/reason").asString()).isEqualTo("BACK_OFF");
            world.sql("update preparation set retry_at = now() where id = ?", id);
            rounds.run();
            assertThat(shown(id).path("generation").asInt()).isEqualTo(2);
            report(id, 2, 1, "FAILED").is(202);
            assertThat(shown(id).path("state").asString()).isEqualTo("FAILED");
        }

        @Test
        void endsWhenItIsCalledOff() {
            String id = submitted();
            runs(id);

            api.post("/api/v1/preparations/%s/cancel".formatted(id)).is(202);
            api.post("/api/v1/preparations/%s/cancel".formatted(id)).is(202);

            assertThat(shown(id).path("state").asString()).isEqualTo("CANCELLED");
            report(id, 1, 1, "RUNNING").is(410);
        }

        @Test
        void waitsAgainWhenItsNodeIsLost() {
            String id = submitted();
            runs(id);
            world.state("n1", dev.spur.model.cluster.NodeState.LOST);
            grants.put(id, new Grant("n2", 8, 64, List.of(), 0));

            rounds.run();

            assertThat(shown(id).path("generation").asInt()).isEqualTo(2);
            assertThat(shown(id).at("/grant/node").asString()).isEqualTo("n2");
        }
    }

    @Nested
    class WhatNewerStateHasOvertaken {
        @Test
        void aPreparationThatWasCalledOffDuringTheRoundGetsNothing() {
            String id = submitted();
            grants.put(id, new Grant("n1", 8, 64, List.of(), 0));
            policy.use(problem -> {
                api.post("/api/v1/preparations/%s/cancel".formatted(id)).is(202);
                return granting(problem);
            });

            rounds.run();

            assertThat(shown(id).path("state").asString()).isEqualTo("CANCELLED");
            assertThat(shown(id).path("grant").isNull()).isTrue();
        }

        @Test
        void nothingStartsOnANodeThatWasLostDuringTheRound() {
            String id = submitted();
            grants.put(id, new Grant("n1", 8, 64, List.of(), 0));
            policy.use(problem -> {
                world.state("n1", dev.spur.model.cluster.NodeState.LOST);
                return granting(problem);
            });

            rounds.run();

            assertThat(shown(id).path("state").asString()).isEqualTo("WAITING");
        }

        @Test
        void nothingStartsBesideATrainingJobThatDoesNotRunAsPlanned() {
            String id = submitted();
            String job = jobAwaiting();
            grants.put(id, new Grant("n1", 8, 64, List.of(), 0));
            policy.use(problem -> {
                api.post("/api/v1/jobs/%s/hold".formatted(job)).is(202);
                return granting(problem);
            });

            rounds.run();

            assertThat(shown(id).path("state").asString()).isEqualTo("WAITING");
        }
    }

    @Nested
    class JobsThatAwaitTheirData {
        @Test
        void startWhenItIsThere() throws InterruptedException {
            String data = submitted();
            String job = jobAwaiting(data);
            runs(data);
            awaitFeed();

            assertThat(world.state(job)).isEqualTo("SUBMITTED");
            JsonNode entry = api.get("/api/v1/queue").is(200).json().at("/items/0");
            assertThat(entry.path("reason").asString()).isEqualTo("DATA");
            assertThat(entry.path("sentence").asString()).contains("shuffle (running)");

            report(data, 1, 1, "COMPLETED").is(202);
            rounds.run();

            assertThat(world.state(job)).isEqualTo("RUNNING");
            assertThat(api.get("/api/v1/jobs/" + job)
                            .is(200)
                            .json()
                            .path("awaits")
                            .isEmpty())
                    .isTrue();
        }

        @Test
        void goOnWaitingWhenItFails() {
            String data = submitted();
            String job = jobAwaiting(data);
            runs(data);
            report(data, 1, 1, "FAILED").is(202);

            rounds.run();

            assertThat(world.state(job)).isEqualTo("SUBMITTED");
            assertThat(api.get("/api/v1/queue")
                            .is(200)
                            .json()
                            .at("/items/0/sentence")
                            .asString())
                    .contains("shuffle (failed)");
        }

        @Test
        void canBeFreedByTheirOwner() {
            String data = submitted();
            String job = jobAwaiting(data);
            api.post("/api/v1/preparations/%s/cancel".formatted(data)).is(202);

            String tag = api.get("/api/v1/jobs/" + job).is(200).header("ETag");
            api.patch("/api/v1/jobs/" + job, "{\"awaits\": []}", "If-Match", tag)
                    .is(200);
            rounds.run();

            assertThat(world.state(job)).isEqualTo("RUNNING");
        }

        @Test
        void nameOnlyWhatIsThere() {
            String cancelled = submitted();
            api.post("/api/v1/preparations/%s/cancel".formatted(cancelled)).is(202);
            String unknown = "00000000-0000-4000-8000-000000000000";

            Answer answer = api.post("/api/v1/jobs", job("\"%s\", \"%s\"".formatted(unknown, cancelled)));

            assertThat(answer.is(422).text())
                    .contains("/awaits/0", "there is no preparation " + unknown, "/awaits/1", "is CANCELLED");
        }

        @Test
        void doNotWaitForWhatIsDoneAlready() {
            String data = submitted();
            runs(data);
            report(data, 1, 1, "COMPLETED").is(202);

            String job = jobAwaiting(data);
            rounds.run();

            assertThat(world.state(job)).isEqualTo("RUNNING");
        }

        @Test
        void neverMissTheEnd() {
            for (int attempt = 0; attempt < 10; attempt++) {
                String data = submitted();
                runs(data);
                grants.remove(data);

                CompletableFuture<Void> end = CompletableFuture.runAsync(() -> report(data, 1, 1, "COMPLETED"));
                String job = jobAwaiting(data);
                end.join();

                assertThat(world.value(Integer.class, "select cardinality(awaits) from job where id = ?", job))
                        .as("attempt %d", attempt)
                        .isZero();
            }
        }
    }

    @Nested
    class ASubmission {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '\0',
                value = {
                    "\"tenant\": \"nobody\" | 422 | there is no tenant nobody",
                    "\"labels\": 3 | 400 | /labels",
                    "\"speed\": 3 | 400 | /speed",
                })
        void saysWhatIsWrong(String more, int status, String words) {
            assertThat(api.post("/api/v1/preparations", submission(", " + more))
                            .is(status)
                            .text())
                    .contains(words);
        }

        @Test
        void thatNoNodeCouldHoldIsRefusedUnlessItMayWait() {
            String tooLarge = submission("").replace("\"workingSetGiB\": 64", "\"workingSetGiB\": 2048");

            assertThat(api.post("/api/v1/preparations", tooLarge).is(422).text())
                    .contains("never-fits", "1024 GiB");
            api.post("/api/v1/preparations", tooLarge.replace("\"owner\"", "\"waitForHardware\": true, \"owner\""))
                    .is(201);
        }

        @Test
        void withAKeyIsTakenOnce() {
            String first = api.post("/api/v1/preparations", submission(""), "Idempotency-Key", "\"k\"")
                    .is(201)
                    .json()
                    .path("id")
                    .asString();

            Answer again = api.post("/api/v1/preparations", submission(""), "Idempotency-Key", "\"k\"");

            assertThat(again.is(201).json().path("id").asString()).isEqualTo(first);
            assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
            api.post("/api/v1/preparations", submission(", \"labels\": {\"a\": \"b\"}"), "Idempotency-Key", "\"k\"")
                    .is(422);
            api.post("/api/v1/jobs", job(""), "Idempotency-Key", "\"k\"").is(422);
        }

        @Test
        void withAnExternalIdThatIsTakenIsRefused() {
            submitted(", \"externalId\": \"x\"");

            assertThat(api.post("/api/v1/preparations", submission(", \"externalId\": \"x\""))
                            .is(409)
                            .text())
                    .contains("/externalId");
        }
    }

    @Nested
    class Executors {
        @Test
        void areToldWhatToRunAndWhomToLendTo() {
            String id = submitted(", \"command\": {\"program\": \"sort\", \"args\": [\"-u\"], \"graceSeconds\": 7}");
            runs(id);
            for (String node : List.of("n1", "n2")) {
                api.put("/api/v1/executors/" + node, """
                        {"instance": "%s", "address": "%s.example", "acceleratorType": "A100", "devices": [{"uuid": "d0"},
                         {"uuid": "d1"}, {"uuid": "d2"}, {"uuid": "d3"}]}
                        """.formatted(node, node)).is(200);
            }

            JsonNode runs = api.get("/api/v1/executors/n1/assignments").is(200).json();
            JsonNode lends = api.get("/api/v1/executors/n2/assignments").is(200).json();

            assertThat(runs.at("/preparations/0/preparationId").asString()).isEqualTo(id);
            assertThat(runs.at("/preparations/0/command/args/0").asString()).isEqualTo("-u");
            assertThat(runs.at("/preparations/0/localGiB").asInt()).isEqualTo(48);
            assertThat(runs.at("/preparations/0/loans/0/address").asString()).isEqualTo("n2.example");
            assertThat(runs.path("lends").isEmpty()).isTrue();
            assertThat(lends.path("preparations").isEmpty()).isTrue();
            assertThat(lends.at("/lends/0/borrower").asString()).isEqualTo("n1");
            assertThat(lends.at("/lends/0/gib").asInt()).isEqualTo(16);
        }

        @Test
        void areWokenWhenALoanIsRevoked() throws Exception {
            String id = submitted(", \"command\": {\"program\": \"sort\"}");
            runs(id);
            api.put("/api/v1/executors/n2", """
                    {"instance": "n2", "acceleratorType": "A100", "devices": [{"uuid": "d0"}, {"uuid": "d1"}, {"uuid": "d2"},
                     {"uuid": "d3"}]}
                    """).is(200);
            JsonNode before =
                    api.get("/api/v1/executors/n2/assignments").is(200).json();
            var waiting = client().getAsync("/api/v1/executors/n2/assignments?after=%d&wait=30"
                    .formatted(before.path("revision").asLong()));

            grants.put(id, new Grant("n1", 8, 48, List.of(), 0));
            rounds.run();

            assertThat(Client.json(waiting.get(60, TimeUnit.SECONDS))
                            .path("lends")
                            .isEmpty())
                    .isTrue();
        }
    }

    @Nested
    class ANode {
        @Test
        void tellsWhatItUses() {
            api.put("/api/v1/nodes/n2/memory", "{\"usedGiB\": 21.5, \"risk\": 0.25}")
                    .is(200);

            assertThat(api.get("/api/v1/nodes/n2/memory")
                            .is(200)
                            .json()
                            .path("usedGiB")
                            .asDouble())
                    .isEqualTo(21.5);
            assertThat(api.get("/api/v1/nodes/n1/memory")
                            .is(200)
                            .json()
                            .path("usedGiB")
                            .asDouble())
                    .isZero();
            api.put("/api/v1/nodes/n9/memory", "{\"usedGiB\": 1}").is(404);
            api.put("/api/v1/nodes/n2/memory", "{\"usedGiB\": -1}").is(400);
        }

        @Test
        void isSeenByTheRoundWithWhatItUses() {
            submitted();
            api.put("/api/v1/nodes/n2/memory", "{\"usedGiB\": 21.5}").is(200);
            List<Double> used = new ArrayList<>();
            policy.use(problem -> {
                problem.memoryUse().forEach(use -> used.add(use.usedGiB()));
                return granting(problem);
            });

            rounds.run();

            assertThat(used).containsExactly(21.5);
        }

        @Test
        void thatHoldsAPreparationOrLendsToOneIsNotDeleted() {
            runs(submitted());

            assertThat(api.delete("/api/v1/nodes/n1", "If-Match", "*").is(409).text())
                    .contains("drain it first");
            assertThat(api.delete("/api/v1/nodes/n2", "If-Match", "*").is(409).text())
                    .contains("drain it first");
        }
    }
}
