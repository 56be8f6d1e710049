package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

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
                            .at("/dependsOn/0/job")
                            .asString())
                    .isEqualTo(data);
        }

        @Test
        void areCanceledWhenItFails() {
            String data = submitted();
            String job = jobAwaiting(data);
            runs(data);
            report(data, 1, 1, "FAILED").is(200);

            assertThat(world.state(job)).isEqualTo("CANCELLED");
            JsonNode last = api.get("/api/v1/jobs/%s/events".formatted(job))
                    .is(200)
                    .json()
                    .at("/items/1");
            assertThat(last.path("kind").asString()).isEqualTo("CANCELLED");
            assertThat(last.at("/detail/cause").asString()).isEqualTo("DEPENDENCY");
            assertThat(last.at("/detail/job").asString()).isEqualTo(data);
            assertThat(last.at("/detail/state").asString()).isEqualTo("FAILED");
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

                assertThat(world.value(
                                Integer.class, "select cardinality(unmet_dependencies) from job where id = ?", job))
                        .as("attempt %d", attempt)
                        .isZero();
            }
        }
    }
}
