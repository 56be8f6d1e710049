package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.api.PreparationsTest;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Jobs with an earliest start, on eight slots. */
class NotBeforeTest extends PreparationsTest {
    private static final Instant LATER = Instant.parse("2099-01-01T00:00:00Z");
    private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");

    @Autowired
    private ExecutorSweeper steward;

    private static String body(Instant notBefore) {
        return job("").replace("\"dependsOn\"", "\"notBefore\": \"%s\", \"dependsOn\"".formatted(notBefore));
    }

    private String submittedFor(Instant notBefore) {
        return api.post("/api/v1/jobs", body(notBefore))
                .is(201)
                .json()
                .path("id")
                .asString();
    }

    private Answer patch(String job, String notBefore) {
        String path = "/api/v1/jobs/" + job;
        return api.patch(
                path,
                "{\"notBefore\": %s}".formatted(notBefore),
                "If-Match",
                api.get(path).header("ETag"));
    }

    /** Lets the earliest start of a job come. */
    private void await(String job) {
        world.sql("update job set not_before = now(), waiting_since = now() - interval '1 hour' where id = ?", job);
    }

    private double waitingSeconds(String job) {
        return world.value(
                Double.class,
                "select extract(epoch from now() - waiting_since)::double precision from job where id = ?",
                job);
    }

    @Test
    void aJobTakesPartInNoRoundBefore() {
        String job = submittedFor(LATER);
        String other = submittedFor(PAST);
        rounds.run();

        assertThat(world.state(other)).isEqualTo("RUNNING");
        assertThat(world.state(job)).isEqualTo("SUBMITTED");
        JsonNode why = api.get("/api/v1/jobs/%s/explanation?unblock=true".formatted(job))
                .is(200)
                .json();
        assertThat(why.at("/waiting/reason").asString()).isEqualTo("NOT_BEFORE");
        assertThat(why.path("message").asString()).contains("It starts at %s at the earliest".formatted(LATER));
        assertThat(shown(job).at("/waiting/reason").asString()).isEqualTo("NOT_BEFORE");
        assertThat(shown(job).at("/notBefore").asString()).isEqualTo(LATER.toString());
        assertThat(api.get("/api/v1/queue").at("/items/0/message")).contains(LATER.toString());
    }

    @Test
    void aRoundFollowsThatStartsIt() {
        String job = submittedFor(LATER);
        steward.step();
        assertThat(world.value(Long.class, "select count(*) from job where waiting_since > submitted_at"))
                .isZero();

        await(job);
        steward.step();

        assertThat(waitingSeconds(job)).as("its wait has begun").isLessThan(60);
        rounds.run();
        assertThat(world.state(job)).isEqualTo("RUNNING");
        assertThat(shown(job).at("/waiting").isNull()).isTrue();
    }

    @Test
    void aPatchChangesItWhileTheJobWaits() {
        String job = submittedFor(LATER);
        world.sql("update job set waiting_since = now() - interval '1 hour' where id = ?", job);
        patch(job, "\"%s\"".formatted(LATER.plusSeconds(60))).is(200);
        assertThat(shown(job).at("/waiting/message").asString())
                .contains(LATER.plusSeconds(60).toString());

        patch(job, "null").is(200);

        assertThat(shown(job).at("/waiting/reason").asString()).isEqualTo("NOT_EVALUATED");
        assertThat(waitingSeconds(job)).as("its wait has begun").isLessThan(60);
        rounds.run();
        assertThat(patch(job, "\"%s\"".formatted(LATER)).is(409).text())
                .contains("/notBefore", "after the start of the job");
    }

    @Test
    void aDependencyCountsAsWell() {
        String first = submittedFor(PAST);
        String job = api.post(
                        "/api/v1/jobs",
                        body(LATER).replace("[]", "[{\"job\": \"%s\", \"when\": \"STARTED\"}]".formatted(first)))
                .is(201)
                .json()
                .path("id")
                .asString();
        JsonNode why =
                api.get("/api/v1/jobs/%s/explanation".formatted(job)).is(200).json();
        assertThat(why.path("message").asString()).contains(LATER.toString(), "the start of train");

        rounds.run();
        rounds.run();
        assertThat(world.state(job)).isEqualTo("SUBMITTED");
        await(job);
        rounds.run();

        assertThat(world.state(job)).isEqualTo("RUNNING");
    }

    @Test
    void anArrayHasIt() {
        String body = "{\"indices\": \"0-1\", \"job\": %s}".formatted(body(LATER));
        JsonNode array = api.post("/api/v1/arrays", body).is(201).json();
        rounds.run();
        assertThat(array(array).at("/states/SUBMITTED").asInt()).isEqualTo(2);

        api.patch(
                        "/api/v1/arrays/" + array.path("id").asString(),
                        "{\"notBefore\": null}",
                        "If-Match",
                        api.get("/api/v1/arrays/" + array.path("id").asString()).header("ETag"))
                .is(200);
        rounds.run();

        assertThat(array(array).at("/states/RUNNING").asInt()).isEqualTo(2);
    }

    private JsonNode array(JsonNode array) {
        return api.get("/api/v1/arrays/" + array.path("id").asString()).is(200).json();
    }

    @Test
    void aPreparationHasIt() {
        String data = submitted(", \"notBefore\": \"%s\"".formatted(LATER));
        runs(data);

        assertThat(world.state(data)).isEqualTo("SUBMITTED");
        await(data);
        rounds.run();

        assertThat(world.state(data)).isEqualTo("RUNNING");
    }
}
