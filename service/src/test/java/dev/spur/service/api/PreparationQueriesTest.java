package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.dataprep.Preparation;
import dev.spur.model.json.RoundJson;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.security.Role;
import dev.spur.solver.policy.Policies;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** What owners ask about preparations: why they wait or run, what would start them, and what a change would bring. */
class PreparationQueriesTest extends PreparationsTest {
    private static final String PATH = "/api/v1/jobs/";

    @Autowired
    private SnapshotReader snapshots;

    @Test
    void whatIfReturnsPreparationsAndTheirDifferences() {
        policy.use(Policies.spur()::plan);
        String id = submitted();
        world.sql("update node set memory_gib = 16");

        JsonNode answer = api.post("/api/v1/what-if", """
                        {"changes": [{"change": "ADD_NODES", "nodes": [{"id": "n3", "pool": "main", "cpus": 64, "memoryGiB": 256}]}]}
                        """).is(200).json().path("preparations");

        assertThat(answer.at("/changes/0/jobId").asString()).isEqualTo(id);
        assertThat(answer.at("/changes/0/change").asString()).isEqualTo("START");
        assertThat(answer.at("/changes/0/after/node").asString()).isEqualTo("n3");
        assertThat(answer.at("/running/0/jobId").asString()).isEqualTo(id);
        assertThat(answer.path("waiting").isEmpty()).isTrue();
        assertThat(answer.at("/changed/objectiveValue").asDouble())
                .isGreaterThan(answer.at("/baseline/objectiveValue").asDouble());
    }

    @Test
    void whatIfSaysNothingOfPreparationsWhereThereAreNone() {
        policy.use(Policies.spur()::plan);

        JsonNode answer = api.post("/api/v1/what-if", """
                        {"changes": [{"change": "SET_NODE_STATE", "node": "n1", "state": "CORDONED"}]}
                        """).is(200).json();

        assertThat(answer.path("preparations").isNull()).isTrue();
    }

    @Test
    void whatWouldStartItIsFoundByPlanningAgain() throws InterruptedException {
        policy.use(Policies.spur()::plan);
        String id = submitted();
        world.sql("update node set memory_gib = 40 where id = 'n1'");
        world.sql("update node set memory_gib = 64 where id = 'n2'");
        api.put("/api/v1/nodes/n2/memory", "{\"usedGiB\": 52}").is(200);
        rounds.run();
        awaitFeed();

        JsonNode why = api.get(PATH + id + "/explanation?unblock=true").is(200).json();

        assertThat(why.at("/waiting/reason").asString()).isEqualTo("INSUFFICIENT_REMOTE_MEMORY");
        assertThat(why.at("/unblock/verified").asBoolean()).isTrue();
        assertThat(why.at("/unblock/message").asString())
                .isEqualTo("It would start if nodes of pool main had 20 GiB more to lend.");
    }

    @Test
    void itsReleaseStartsOneThatIsHeldAsAWhatIfShows() {
        policy.use(Policies.spur()::plan);
        String id = submitted();
        api.post(PATH + id + "/hold").is(200);

        JsonNode unblock =
                api.get(PATH + id + "/explanation?unblock=true").is(200).json().path("unblock");

        assertThat(unblock.path("changes").toString())
                .isEqualTo("[{\"change\":\"RELEASE_HOLD\",\"job\":\"%s\"}]".formatted(id));
        assertThat(unblock.path("verified").asBoolean()).isTrue();
        assertThat(unblock.path("message").asString()).startsWith("It would start once it is released");
        JsonNode answer = ask(unblock.path("changes").get(0).toString());
        assertThat(answer.at("/preparations/changes/0/change").asString()).isEqualTo("START");
        assertThat(shown(id).path("held").asBoolean()).isTrue();
    }

    @Test
    void itsReleaseAloneMayNotBeEnough() {
        policy.use(Policies.spur()::plan);
        String id = submitted();
        world.sql("update node set memory_gib = 16");
        api.post(PATH + id + "/hold").is(200);

        JsonNode unblock =
                api.get(PATH + id + "/explanation?unblock=true").is(200).json().path("unblock");

        assertThat(unblock.at("/changes/0/change").asString()).isEqualTo("RELEASE_HOLD");
        assertThat(unblock.at("/changes/1/change").asString()).isEqualTo("ADD_NODES");
        assertThat(unblock.path("message").asString()).contains("is not sufficient. It would start with");
    }

    @Test
    void whatIfThereWereOneMore() {
        policy.use(Policies.spur()::plan);
        String id = submitted();

        JsonNode answer = ask(added("more", "root")).path("preparations");

        assertThat(answer.path("running").findValuesAsString("jobId")).containsExactlyInAnyOrder(id, "more");
        assertThat(answer.path("changes").findValuesAsString("jobId")).containsExactly("more");
        assertThat(answer.at("/changes/0/change").asString()).isEqualTo("START");
        assertThat(world.value(Integer.class, "select count(*) from job")).isEqualTo(1);
    }

    @Test
    void whatIfThereWereOneLess() {
        policy.use(Policies.spur()::plan);
        world.sql("update node set memory_gib = 72 where id = 'n1'");
        world.sql("update node set memory_gib = 16 where id = 'n2'");
        String one = submitted();
        rounds.run();
        String other = submitted();

        JsonNode answer = ask("{\"change\": \"REMOVE_JOB\", \"job\": \"%s\"}".formatted(one))
                .path("preparations");

        assertThat(kindOf(answer, one)).isEqualTo("END");
        assertThat(kindOf(answer, other)).isEqualTo("START");
        assertThat(answer.path("running").findValuesAsString("jobId")).containsExactly(other);
        assertThat(shown(one).path("state").asString()).isEqualTo("RUNNING");
    }

    @Test
    void whatIfAJobNeedNotWaitForItsData() {
        policy.use(Policies.spur()::plan);
        String job = jobAwaiting(submitted());

        JsonNode answer = ask("{\"change\": \"RELEASE_HOLD\", \"job\": \"%s\"}".formatted(job));

        assertThat(answer.at("/changes/0/jobId").asString()).isEqualTo(job);
        assertThat(answer.at("/changes/0/change").asString()).isEqualTo("START");
        assertThat(world.state(job)).isEqualTo("SUBMITTED");
    }

    @Test
    void whatIfReturnsToATenantOnlyItsOwn() {
        policy.use(Policies.spur()::plan);
        world.sql("insert into tenant (name, parent, weight, quotas) values ('own', 'root', 1, '{}')");
        String foreign = submitted();
        String own = submitted(", \"tenant\": \"own\"");

        String answer = api.with(world.token(Role.SUBMITTER, "own", null))
                .post("/api/v1/what-if", """
                        {"changes": [{"change": "SET_MAINTENANCE", "window": "m", "nodes": ["n1"], "start": "2001-01-01T00:00:00Z", "end": "2255-03-13T16:00:00Z"}]}
                        """)
                .is(200)
                .text();

        assertThat(answer).contains(own).doesNotContain(foreign);
    }

    @Test
    void errorsAreReportedAtOnce() {
        String id = submitted();

        JsonNode problem = api.post(
                        "/api/v1/what-if",
                        "{\"changes\": [%s]}"
                                .formatted(String.join(
                                        ", ",
                                        added(id, "nobody"),
                                        "{\"change\": \"REMOVE_JOB\", \"job\": \"none\"}",
                                        "{\"change\": \"RELEASE_HOLD\", \"job\": \"%s\"}".formatted(id))))
                .is(422)
                .json();

        assertThat(problem.path("errors").findValuesAsString("pointer"))
                .containsExactly("/changes/0/preparation", "/changes/0/tenant", "/changes/1/job", "/changes/2/job");
    }

    private JsonNode ask(String change) {
        return api.post("/api/v1/what-if", "{\"changes\": [%s]}".formatted(change))
                .is(200)
                .json();
    }

    private String added(String id, String tenant) {
        JsonNode spec = RoundJson.mapper().readTree(submission("")).path("spec");
        return "{\"change\": \"ADD_PREPARATION\", \"preparation\": \"%s\", \"tenant\": \"%s\", \"spec\": %s}"
                .formatted(id, tenant, spec);
    }

    private String kindOf(JsonNode answer, String preparation) {
        return answer.path("changes")
                .valueStream()
                .filter(change -> change.path("jobId").asString().equals(preparation))
                .map(change -> change.path("change").asString())
                .findFirst()
                .orElse("none");
    }

    @Test
    void aJobThatAwaitsDataHasNoOtherPendingReason() {
        policy.use(Policies.spur()::plan);
        String id = submitted();
        String job = jobAwaiting(id);

        JsonNode why = api.get("/api/v1/jobs/" + job + "/explanation?unblock=true")
                .is(200)
                .json();

        assertThat(why.at("/unblock/verified").asBoolean()).isFalse();
        assertThat(why.at("/unblock/message").asString()).contains(id);
    }

    @Test
    void whyItRunsIsExplained() throws InterruptedException {
        String id = submitted();
        runs(id);
        awaitFeed();

        JsonNode why = api.get(PATH + id + "/explanation").is(200).json();

        assertThat(why.path("message").asString()).isEqualTo("It fits.");
        assertThat(why.at("/preparation/grant/node").asString()).isEqualTo("n1");
        assertThat(why.path("unblock").isNull()).isTrue();
    }

    @Test
    void oneThatIsHeldIsAskedAboutAsItsReleaseWillShowIt() {
        submitted();
        String held = submitted();
        api.post(PATH + held + "/hold").is(200);
        String pauses = submitted();
        world.sql("update job set retry_at = now() + interval '1 hour' where id = ?", pauses);
        world.sql("update job set waiting_since = now() - interval '1 hour'");
        double now = snapshots.read().problem().now();

        assertThat(snapshots.read().heldBack().preparations())
                .extracting(Preparation::id)
                .containsExactly(held, pauses);
        assertThat(snapshots.read().heldBack().preparations().get(0).arrival())
                .as("who is released begins to wait then")
                .isCloseTo(now, within(600.0));
        assertThat(snapshots.read().heldBack().preparations().get(1).arrival())
                .as("who pauses waits")
                .isCloseTo(now - 3600, within(600.0));
    }
}
