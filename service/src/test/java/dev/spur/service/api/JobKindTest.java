package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Training jobs and data preparations have the same routes, and each rejects what belongs to the other kind. */
class JobKindTest extends PreparationsTest {
    private Answer patch(String id, String body) {
        return api.patch("/api/v1/jobs/" + id, body, "If-Match", "*");
    }

    private List<String> ids(String path) {
        return api.get(path).is(200).json().path("items").findValuesAsString("id");
    }

    @Nested
    class BothKinds {
        @Test
        void areInOneListThatIsFilteredByKind() {
            String data = submitted();
            String job = jobAwaiting();

            assertThat(ids("/api/v1/jobs")).containsExactly(job, data);
            assertThat(ids("/api/v1/jobs?kind=DATA_PREPARATION")).containsExactly(data);
            assertThat(ids("/api/v1/jobs?kind=TRAINING&owner=ann")).containsExactly(job);
            assertThat(ids("/api/v1/jobs?owner=ann&state=SUBMITTED")).containsExactly(job, data);
        }

        @Test
        void areInOneQueueWithTrainingFirst() throws InterruptedException {
            String data = submitted();
            String job = jobAwaiting();
            world.sql("update node set state = 'CORDONED'");
            rounds.run();
            awaitFeed();

            JsonNode queue = api.get("/api/v1/queue").is(200).json().path("items");

            assertThat(queue.findValuesAsString("jobId")).containsExactly(job, data);
            assertThat(queue.findValuesAsString("kind")).containsExactly("TRAINING", "DATA_PREPARATION");
            assertThat(queue.at("/1/reason").asString()).isEqualTo("INSUFFICIENT_LOCAL_MEMORY");
        }

        @Test
        void statePendingReasonsBeforeARoundHasSeenThem() {
            String data = submitted();
            String job = jobAwaiting(data);
            api.post("/api/v1/jobs/%s/hold".formatted(data)).is(200);

            assertThat(shown(data).at("/waiting/reason").asString()).isEqualTo("HELD");
            assertThat(shown(job).at("/waiting/reason").asString()).isEqualTo("DEPENDENCY");
        }

        @Test
        void shareExternalIds() {
            submitted(", \"externalId\": \"x\"");

            api.post("/api/v1/jobs", job("").replace("\"name\"", "\"externalId\": \"x\", \"name\""))
                    .is(409);
        }
    }

    @Nested
    class APreparation {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '\0',
                value = {
                    "\"deadline\": \"2130-01-01T00:00:00Z\" | /deadline",
                    "\"dependsOn\": [{\"job\": \"00000000-0000-4000-8000-000000000000\"}] | /dependsOn/0/job",
                })
        void isSubmittedWithoutWhatOnlyTrainingHas(String more, String pointer) {
            assertThat(api.post("/api/v1/jobs", submission(", " + more)).is(422).text())
                    .contains(pointer);
        }

        @Test
        void isSubmittedWithItsOwnSpecification() {
            String training = submission("").replace("\"kind\": \"DATA_PREPARATION\", ", "");

            assertThat(api.post("/api/v1/jobs", training).is(400).text()).contains("/spec/cpus", "/spec/seconds");
        }

        @ParameterizedTest
        @ValueSource(strings = {"profile", "prediction", "aggregation"})
        void hasNothingThatDescribesTraining(String part) {
            assertThat(api.get("/api/v1/jobs/%s/%s".formatted(submitted(), part))
                            .is(404)
                            .text())
                    .contains("is a data preparation");
        }

        @Test
        void isNotChangedByMembersOfTraining() {
            String data = submitted();

            assertThat(patch(data, "{\"spec\": {\"elasticity\": {\"maxSlots\": 2}, \"group\": \"g\"}}")
                            .is(422)
                            .json()
                            .path("errors")
                            .findValuesAsString("pointer"))
                    .containsExactly("/spec/elasticity", "/spec/group");
            assertThat(patch(jobAwaiting(), "{\"spec\": {\"cpus\": 2}}").is(422).text())
                    .contains("/spec/cpus", "of kind TRAINING");
        }

        @Test
        void reportsSecondsAndNotSamples() {
            String data = submitted();
            String job = jobAwaiting();
            runs(data);
            String samples = "{\"generation\": 1, \"seq\": 1, \"samplesTotal\": 64, \"state\": \"RUNNING\"}";

            assertThat(api.post("/api/v1/jobs/%s/progress".formatted(data), samples)
                            .is(422)
                            .text())
                    .contains("/samplesTotal", "reports doneSeconds");
            assertThat(report(job, 1, 1, "RUNNING").is(422).text()).contains("/doneSeconds", "reports samplesTotal");
            api.post(
                            "/api/v1/jobs/%s/progress".formatted(data),
                            "{\"generation\": 1, \"seq\": 1, \"state\": \"RUNNING\"}")
                    .is(400);
        }

        @Test
        void gainsNoReservation() {
            String data = submitted();

            assertThat(api.put("/api/v1/reservations/r", "{\"nodes\": [\"n1\"], \"job\": \"%s\"}".formatted(data))
                            .is(422)
                            .text())
                    .contains("is a data preparation");
        }

        @Test
        void runsItsNewCommandFromTheNextStartOn() {
            String data = submitted(", \"command\": {\"program\": \"sort\", \"maxRestarts\": 3}");
            runs(data);

            patch(data, "{\"command\": {\"program\": \"tac\"}}").is(200);

            assertThat(shown(data).at("/command/program").asString()).isEqualTo("sort");
            assertThat(shown(data).at("/nextCommand/program").asString()).isEqualTo("tac");
            report(data, 1, 1, "FAILED").is(200);
            assertThat(shown(data).at("/command/program").asString()).isEqualTo("tac");
        }
    }
}
