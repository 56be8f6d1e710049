package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.cluster.NodeState;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.service.testing.Client;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs that prepare data, from their submission to their end. */
class PreparationTest extends PreparationsTest {
    @Nested
    class ALife {
        @Test
        void beginsWithWaitingForARound() throws InterruptedException {
            String id = submitted();

            assertThat(shown(id).path("waiting").path("reason").asString()).isEqualTo("NOT_EVALUATED");

            rounds.run();
            awaitFeed();

            assertThat(shown(id).path("waiting").path("reason").asString()).isEqualTo("INSUFFICIENT_LOCAL_MEMORY");
            assertThat(shown(id).path("waiting").path("message").asString()).isEqualTo("There is no room.");
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
            assertThat(entry.path("jobId").asString()).isEqualTo(id);
            assertThat(entry.path("message").asString()).isEqualTo("It fits.");
        }

        @Test
        void keepsItsGenerationWhenOnlyItsLoansChange() {
            String id = submitted();
            runs(id);

            grants.put(id, new PreparationAllocation("n1", 8, 48, List.of(), 0));
            rounds.run();

            assertThat(shown(id).path("generation").asInt()).isEqualTo(1);
            assertThat(shown(id).at("/grant/loans").isEmpty()).isTrue();
        }

        @Test
        void countsWhatIsReportedOnce() {
            String id = submitted();
            runs(id);

            assertThat(report(id, 1, 5, "RUNNING")
                            .is(200)
                            .json()
                            .path("applied")
                            .asBoolean())
                    .isTrue();
            assertThat(report(id, 1, 5, "RUNNING")
                            .is(200)
                            .json()
                            .path("applied")
                            .asBoolean())
                    .isFalse();

            assertThat(shown(id).path("remainingSeconds").asDouble()).isEqualTo(1200);
            assertThat(world.value(String.class, "select activity::text from job where id = ?", id))
                    .isEqualTo("{\"n2\": 7.0}");
        }

        @Test
        void endsWithAReport() {
            String id = submitted();
            runs(id);

            report(id, 1, 5, "COMPLETED").is(200);

            assertThat(shown(id).path("state").asString()).isEqualTo("DONE");
            assertThat(shown(id).path("grant").isMissingNode()).isTrue();
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

            report(id, 1, 1, "FAILED").is(200);

            assertThat(shown(id).at("/waiting/reason").asString()).isEqualTo("BACKOFF");
            world.sql("update job set retry_at = now() where id = ?", id);
            rounds.run();
            assertThat(shown(id).path("generation").asInt()).isEqualTo(3);
            report(id, 3, 1, "FAILED").is(200);
            assertThat(shown(id).path("state").asString()).isEqualTo("FAILED");
        }

        @Test
        void endsWhenItIsCalledOff() {
            String id = submitted();
            runs(id);

            api.post("/api/v1/jobs/%s/cancel".formatted(id)).is(200);
            api.post("/api/v1/jobs/%s/cancel".formatted(id)).is(200);

            assertThat(shown(id).path("state").asString()).isEqualTo("CANCELLED");
            report(id, 1, 1, "RUNNING").is(410);
        }

        @Test
        void waitsAgainWhenItsNodeIsLost() {
            String id = submitted();
            runs(id);
            world.state("n1", NodeState.LOST);
            grants.put(id, new PreparationAllocation("n2", 8, 64, List.of(), 0));

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
            grants.put(id, new PreparationAllocation("n1", 8, 64, List.of(), 0));
            policy.use(problem -> {
                api.post("/api/v1/jobs/%s/cancel".formatted(id)).is(200);
                return granting(problem);
            });

            rounds.run();

            assertThat(shown(id).path("state").asString()).isEqualTo("CANCELLED");
            assertThat(shown(id).path("grant").isMissingNode()).isTrue();
        }

        @Test
        void nothingStartsOnANodeThatWasLostDuringTheRound() {
            String id = submitted();
            grants.put(id, new PreparationAllocation("n1", 8, 64, List.of(), 0));
            policy.use(problem -> {
                world.state("n1", NodeState.LOST);
                return granting(problem);
            });

            rounds.run();

            assertThat(shown(id).path("state").asString()).isEqualTo("WAITING");
        }

        @Test
        void whatFailsDuringTheRoundPausesBeforeItStartsAgain() {
            String id = submitted(", \"command\": {\"program\": \"sort\", \"maxRestarts\": 3}");
            runs(id);
            policy.use(problem -> {
                report(id, 1, 1, "FAILED").is(200);
                return granting(problem);
            });

            rounds.run();

            assertThat(shown(id).at("/waiting/reason").asString()).isEqualTo("BACKOFF");
        }

        @Test
        void aPreparationThatRestartedAfterTheSnapshotIsNotChanged() {
            String id = submitted();
            runs(id);
            policy.use(problem -> {
                world.sql("update job set generation = 7 where id = ?", id);
                grants.put(id, new PreparationAllocation("n1", 8, 64, List.of(), 0));
                return granting(problem);
            });

            rounds.run();

            assertThat(shown(id).path("generation").asInt()).isEqualTo(7);
            assertThat(shown(id).at("/grant/localGiB").asInt()).isEqualTo(48);
        }

        @Test
        void nothingStartsBesideATrainingJobThatDoesNotRunAsPlanned() {
            String id = submitted();
            String job = jobAwaiting();
            grants.put(id, new PreparationAllocation("n1", 8, 64, List.of(), 0));
            policy.use(problem -> {
                api.post("/api/v1/jobs/%s/hold".formatted(job)).is(200);
                return granting(problem);
            });

            rounds.run();

            assertThat(shown(id).path("state").asString()).isEqualTo("WAITING");
        }
    }

    @Nested
    class Executors {
        @Test
        void receiveRunsAndLoans() {
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

            grants.put(id, new PreparationAllocation("n1", 8, 48, List.of(), 0));
            rounds.run();

            assertThat(Client.json(waiting.get(60, TimeUnit.SECONDS))
                            .path("lends")
                            .isEmpty())
                    .isTrue();
        }
    }
}
