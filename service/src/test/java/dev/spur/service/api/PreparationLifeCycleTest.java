package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What owners do with preparations, and what they are told of it. */
class PreparationLifeCycleTest extends PreparationsTest {
    private static final String PATH = "/api/v1/jobs/";

    private Answer patch(String id, String body) {
        String tag = api.get(PATH + id).is(200).header("ETag");
        return api.patch(PATH + id, body, "If-Match", tag);
    }

    private List<String> events(String id) {
        return api.get(PATH + id + "/events")
                .is(200)
                .json()
                .path("items")
                .valueStream()
                .map(event -> event.path("kind").asString())
                .toList();
    }

    @Nested
    class AChange {
        @Test
        void putsWhatIsNamedAndLeavesTheRest() {
            String id = submitted(", \"labels\": {\"a\": \"1\", \"b\": \"2\"}");

            JsonNode now = patch(id, "{\"labels\": {\"a\": null}, \"spec\": {\"priority\": 3, \"workingSetGiB\": 32}}")
                    .is(200)
                    .json();

            assertThat(now.path("labels").propertyNames()).containsExactly("b");
            assertThat(now.at("/spec/priority").asInt()).isEqualTo(3);
            assertThat(now.at("/spec/workingSetGiB").asInt()).isEqualTo(32);
            assertThat(now.at("/spec/cpus").asDouble()).isEqualTo(8);
            assertThat(shown(id).path("spec")).isEqualTo(now.path("spec"));
        }

        @Test
        void needsTheVersionThatItIsMadeInViewOf() {
            String id = submitted();
            String tag = api.get(PATH + id).header("ETag");
            patch(id, "{\"name\": \"other\"}").is(200);

            api.patch(PATH + id, "{\"name\": \"third\"}").is(428);
            api.patch(PATH + id, "{\"name\": \"third\"}", "If-Match", tag).is(412);
            assertThat(shown(id).path("name").asString()).isEqualTo("other");
        }

        @Test
        void leavesAloneWhatARunningOneHolds() {
            String id = submitted();
            runs(id);

            patch(id, "{\"spec\": {\"weight\": 4, \"seconds\": 3600}}").is(200);
            JsonNode problem = patch(id, "{\"spec\": {\"cpus\": 2, \"workingSetGiB\": 32}}")
                    .is(409)
                    .json();

            assertThat(problem.path("errors")
                            .valueStream()
                            .map(error -> error.path("pointer").asString()))
                    .containsExactly("/spec/cpus", "/spec/workingSetGiB");
            assertThat(shown(id).at("/spec/seconds").asDouble()).isEqualTo(3600);
        }

        @Test
        void isRefusedIfNothingFitsAnyMore() {
            String id = submitted();

            patch(id, "{\"spec\": {\"cpus\": 1000}}").is(422);
            patch(id, "{\"spec\": {\"minLocalFraction\": 0.1}}").is(422);
            assertThat(shown(id).at("/spec/cpus").asDouble()).isEqualTo(8);
        }

        @Test
        void duringARoundKeepsItFromStartingAsItWas() {
            String id = submitted();
            grants.put(id, new PreparationAllocation("n1", 8, 64, List.of(), 0));
            policy.use(problem -> {
                patch(id, "{\"spec\": {\"cpus\": 16}}").is(200);
                return granting(problem);
            });

            rounds.run();

            assertThat(shown(id).path("state").asString()).isEqualTo("WAITING");
        }

        @Test
        void ofOneThatHasEndedIsRefused() {
            String id = submitted();
            api.post(PATH + id + "/cancel").is(200);

            patch(id, "{\"name\": \"other\"}").is(409);
        }
    }

    @Nested
    class OneThatIsHeld {
        @Test
        void startsOnlyOnceItIsReleased() throws InterruptedException {
            String id = submitted();
            api.post(PATH + id + "/hold").is(200);
            api.post(PATH + id + "/hold").is(200);
            runs(id);
            awaitFeed();
            assertThat(shown(id).path("state").asString()).isEqualTo("SUBMITTED");
            assertThat(shown(id).path("held").asBoolean()).isTrue();
            assertThat(shown(id).at("/waiting/reason").asString()).isEqualTo("HELD");

            api.post(PATH + id + "/release").is(200);
            rounds.run();

            assertThat(shown(id).path("state").asString()).isEqualTo("RUNNING");
            assertThat(events(id)).containsExactly("SUBMITTED", "HELD", "RELEASED", "STARTED");
        }

        @Test
        void duringARoundDoesNotStart() {
            String id = submitted();
            grants.put(id, new PreparationAllocation("n1", 8, 64, List.of(), 0));
            policy.use(problem -> {
                api.post(PATH + id + "/hold").is(200);
                return granting(problem);
            });

            rounds.run();

            assertThat(shown(id).path("state").asString()).isEqualTo("WAITING");
        }

        @Test
        void isNoneThatRuns() {
            String id = submitted();
            runs(id);

            api.post(PATH + id + "/hold").is(409);

            assertThat(shown(id).path("state").asString()).isEqualTo("RUNNING");
        }
    }

    @Test
    void isRecordedInEvents() {
        String id = submitted(", \"command\": {\"program\": \"sort\", \"maxRestarts\": 1}");
        runs(id);
        grants.put(id, new PreparationAllocation("n1", 8, 48, List.of(), 0));
        rounds.run();
        report(id, 1, 1, "FAILED").is(200);
        api.post(PATH + id + "/cancel").is(200);

        assertThat(events(id)).containsExactly("SUBMITTED", "STARTED", "MEMORY", "REQUEUED", "CANCELLED");
        JsonNode started = api.get(PATH + id + "/events").json().at("/items/1/detail");
        assertThat(started.path("node").asString()).isEqualTo("n1");
        assertThat(started.at("/loans/0/lender").asString()).isEqualTo("n2");
    }

    @Test
    void aCallerThatHasItGetsNotModified() throws InterruptedException {
        String id = submitted();
        rounds.run();
        awaitFeed();
        String tag = api.get(PATH + id).is(200).header("ETag");

        api.get(PATH + id, "If-None-Match", tag).is(304);
    }
}
