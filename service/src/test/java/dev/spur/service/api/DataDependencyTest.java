package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs that wait for their data. */
class DataDependencyTest extends PreparationsTest {
    @Nested
    class Jobs {
        @Test
        void startWhenItIsThere() throws InterruptedException {
            String data = submitted();
            String job = jobAwaiting(data);
            runs(data);
            awaitFeed();

            assertThat(world.state(job)).isEqualTo("SUBMITTED");
            JsonNode entry = api.get("/api/v1/queue").is(200).json().at("/items/0");
            assertThat(entry.path("reason").asString()).isEqualTo("DEPENDENCY");
            assertThat(entry.path("message").asString()).contains("shuffle (running)");

            report(data, 1, 1, "COMPLETED").is(200);
            rounds.run();

            assertThat(world.state(job)).isEqualTo("RUNNING");
            assertThat(api.get("/api/v1/jobs/" + job)
                            .is(200)
                            .json()
                            .path("dependsOn")
                            .isEmpty())
                    .isTrue();
        }

        @Test
        void goOnWaitingWhenItFails() {
            String data = submitted();
            String job = jobAwaiting(data);
            runs(data);
            report(data, 1, 1, "FAILED").is(200);

            rounds.run();

            assertThat(world.state(job)).isEqualTo("SUBMITTED");
            assertThat(api.get("/api/v1/queue")
                            .is(200)
                            .json()
                            .at("/items/0/message")
                            .asString())
                    .contains("shuffle (failed)");
        }

        @Test
        void canBeFreedByTheirOwner() {
            String data = submitted();
            String job = jobAwaiting(data);
            api.post("/api/v1/jobs/%s/cancel".formatted(data)).is(200);

            String tag = api.get("/api/v1/jobs/" + job).is(200).header("ETag");
            api.patch("/api/v1/jobs/" + job, "{\"dependsOn\": []}", "If-Match", tag)
                    .is(200);
            rounds.run();

            assertThat(world.state(job)).isEqualTo("RUNNING");
        }

        @Test
        void nameOnlyWhatIsThere() {
            String cancelled = submitted();
            api.post("/api/v1/jobs/%s/cancel".formatted(cancelled)).is(200);
            String unknown = "00000000-0000-4000-8000-000000000000";

            Answer answer = api.post("/api/v1/jobs", job("\"%s\", \"%s\"".formatted(unknown, cancelled)));

            assertThat(answer.is(422).text())
                    .contains(
                            "/dependsOn/0", "there is no data preparation " + unknown, "/dependsOn/1", "is CANCELLED");
        }

        @Test
        void doNotWaitForWhatIsDoneAlready() {
            String data = submitted();
            runs(data);
            report(data, 1, 1, "COMPLETED").is(200);

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

                assertThat(world.value(Integer.class, "select cardinality(depends_on) from job where id = ?", job))
                        .as("attempt %d", attempt)
                        .isZero();
            }
        }
    }
}
