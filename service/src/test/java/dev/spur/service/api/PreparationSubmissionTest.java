package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is taken in, and what nodes tell of their memory. */
class PreparationSubmissionTest extends PreparationsTest {
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
            assertThat(api.post("/api/v1/jobs", submission(", " + more))
                            .is(status)
                            .text())
                    .contains(words);
        }

        @Test
        void thatNoNodeCouldHoldIsRefusedUnlessItMayWait() {
            String tooLarge = submission("").replace("\"workingSetGiB\": 64", "\"workingSetGiB\": 2048");

            assertThat(api.post("/api/v1/jobs", tooLarge).is(422).text()).contains("unsatisfiable", "1024 GiB");
            api.post("/api/v1/jobs", tooLarge.replace("\"owner\"", "\"waitForHardware\": true, \"owner\""))
                    .is(201);
        }

        @Test
        void withAKeyIsTakenOnce() {
            String first = api.post("/api/v1/jobs", submission(""), "Idempotency-Key", "\"k\"")
                    .is(201)
                    .json()
                    .path("id")
                    .asString();

            Answer again = api.post("/api/v1/jobs", submission(""), "Idempotency-Key", "\"k\"");

            assertThat(again.is(201).json().path("id").asString()).isEqualTo(first);
            assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
            api.post("/api/v1/jobs", submission(", \"labels\": {\"a\": \"b\"}"), "Idempotency-Key", "\"k\"")
                    .is(422);
            api.post("/api/v1/jobs", job(""), "Idempotency-Key", "\"k\"").is(422);
        }

        @Test
        void withAnExternalIdThatIsTakenIsRefused() {
            submitted(", \"externalId\": \"x\"");

            assertThat(api.post("/api/v1/jobs", submission(", \"externalId\": \"x\""))
                            .is(409)
                            .text())
                    .contains("/externalId");
        }
    }

    @Nested
    class ANode {
        @Test
        void reportsItsUse() {
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
