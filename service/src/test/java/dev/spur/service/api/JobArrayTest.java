package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.solver.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Arrays of jobs of one to four slots, on eight slots. */
class JobArrayTest extends PreparationsTest {
    @Autowired
    private SnapshotReader snapshots;

    private static final String ARRAYS = "/api/v1/arrays";

    private static ObjectNode request(String indices, String limit) {
        ObjectNode request = RoundJson.mapper().createObjectNode();
        request.put("indices", indices);
        if (limit != null) {
            request.put("limit", Integer.parseInt(limit));
        }
        ObjectNode job = (ObjectNode) RoundJson.mapper().readTree(job(""));
        ((ObjectNode) job.at("/spec/elasticity")).put("maxSlots", 1);
        job.putObject("command").put("program", "train");
        request.set("job", job);
        return request;
    }

    private JsonNode submit(ObjectNode request) {
        return api.post(ARRAYS, request.toString()).is(201).json();
    }

    private String id(String indices, String limit) {
        return submit(request(indices, limit)).path("id").asString();
    }

    private JsonNode array(String id) {
        return api.get(ARRAYS + "/" + id).is(200).json();
    }

    private List<JsonNode> jobs(String array) {
        return api.get("/api/v1/jobs?array=" + array)
                .is(200)
                .json()
                .path("items")
                .valueStream()
                .toList();
    }

    private long running() {
        return world.value(Long.class, "select count(*) from job where state = 'RUNNING'");
    }

    @Nested
    class ASubmission {
        @Test
        void storesOneJobForEachIndex() {
            JsonNode array = submit(request("7,0-4:2", null));
            String id = array.path("id").asString();

            assertThat(array.path("size").asInt()).isEqualTo(4);
            assertThat(array.at("/states/SUBMITTED").asInt()).isEqualTo(4);
            List<JsonNode> jobs = jobs(id);
            assertThat(jobs)
                    .extracting(job -> job.path("name").asString())
                    .containsExactly("train-7", "train-4", "train-2", "train-0");
            assertThat(jobs).extracting(job -> job.at("/array/index").asInt()).containsExactly(7, 4, 2, 0);
            JsonNode env = shown(jobs.get(1).path("id").asString()).at("/command/env");
            assertThat(env.path("SPUR_ARRAY").asString()).isEqualTo(id);
            assertThat(env.path("SPUR_ARRAY_INDEX").asString()).isEqualTo("4");
            assertThat(env.path("SLURM_ARRAY_TASK_ID").asString()).isEqualTo("4");
            assertThat(env.path("SLURM_ARRAY_TASK_MAX").asString()).isEqualTo("7");
            assertThat(world.value(Long.class, "select count(*) from job_event where kind = 'SUBMITTED'"))
                    .isEqualTo(4);
        }

        @Test
        void isStoredOnceUnderItsKey() {
            String request = request("0-9", "3").toString();
            String first = api.post(ARRAYS, request, "Idempotency-Key", "\"sweep-1\"")
                    .is(201)
                    .json()
                    .path("id")
                    .asString();
            Answer second =
                    api.post(ARRAYS, request, "Idempotency-Key", "\"sweep-1\"").is(201);
            Answer other = api.post(ARRAYS, request("0-8", "3").toString(), "Idempotency-Key", "\"sweep-1\"");

            assertThat(second.json().path("id").asString()).isEqualTo(first);
            assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(other.is(422).text()).contains("already used");
            assertThat(world.value(Long.class, "select count(*) from job")).isEqualTo(10);
        }

        @Test
        void namesEveryBrokenField() {
            ObjectNode request = request("5-3,1", "2");
            ObjectNode job = (ObjectNode) request.path("job");
            job.put("externalId", "x").put("deadline", "2020-01-01T00:00:00Z");
            ((ObjectNode) job.path("spec")).put("group", "unknown");
            ((ObjectNode) job.path("command")).put("checkpointDir", "/same");
            request.put("indices", "5-3,1,2");

            assertThat(api.post(ARRAYS, request.toString()).is(422).text())
                    .contains(
                            "/indices",
                            "5-3 is no range",
                            "/job/externalId",
                            "/limit",
                            "/job/command/checkpointDir",
                            "/job/deadline",
                            "/job/spec/group");
            assertThat(world.value(Long.class, "select count(*) from job")).isZero();
        }

        @Test
        void hasAtMostTenThousandJobs() {
            assertThat(api.post(ARRAYS, request("0-10000", null).toString())
                            .is(422)
                            .text())
                    .contains("more than 10000 indices");
        }

        @Test
        void hasADirectoryForEachJob() {
            ObjectNode request = request("1-2", null);
            ((ObjectNode) request.at("/job/command")).put("checkpointDir", "/runs/${SPUR_ARRAY_INDEX}");
            String id = submit(request).path("id").asString();

            assertThat(shown(jobs(id).get(0).path("id").asString())
                            .at("/command/checkpointDir")
                            .asString())
                    .isEqualTo("/runs/2");
            assertThat(api.post(ARRAYS, request.toString()).is(422).text()).contains("/command/checkpointDir");
        }
    }

    @Nested
    class TheLimit {
        @Test
        void isACapOfTheProgram() {
            String id = id("0-7", "3");

            assertThat(world.value(Integer.class, "select max_jobs from job_group where name = ?", "array-" + id))
                    .isEqualTo(3);
            assertThat(snapshots.read().problem().groups())
                    .singleElement()
                    .satisfies(group -> assertThat(group.maxJobs()).isEqualTo(3));
            assertThat(snapshots.read().problem().jobs())
                    .allSatisfy(job -> assertThat(job.spec().group()).isEqualTo("array-" + id));
        }

        @Test
        void canBeChanged() {
            String id = id("0-7", "3");
            String tag = api.get(ARRAYS + "/" + id).is(200).header("ETag");
            api.patch(ARRAYS + "/" + id, "{\"limit\": 5, \"priority\": 2}", "If-Match", tag)
                    .is(200);

            assertThat(array(id).path("limit").asInt()).isEqualTo(5);
            assertThat(shown(jobs(id).get(0).path("id").asString())
                            .at("/spec/priority")
                            .asInt())
                    .isEqualTo(2);
            api.patch(ARRAYS + "/" + id, "{\"limit\": 5}", "If-Match", tag).is(412);
        }

        private Answer limit(String id, String limit) {
            String tag = api.get(ARRAYS + "/" + id).is(200).header("ETag");
            return api.patch(ARRAYS + "/" + id, "{\"limit\": %s}".formatted(limit), "If-Match", tag);
        }

        @Test
        void isSetRaisedAndRemoved() {
            policy.use(Policies.spur()::plan);
            String id = id("0-7", null);
            limit(id, "2").is(200);
            rounds.run();
            assertThat(running()).isEqualTo(2);
            assertThat(array(id).path("groupName").asString()).isEqualTo("array-" + id);

            limit(id, "3").is(200);
            rounds.run();
            assertThat(running()).isEqualTo(3);

            limit(id, "null").is(200);
            rounds.run();
            assertThat(running()).isEqualTo(8);
            assertThat(array(id).path("limit").isNull()).isTrue();
        }

        @Test
        void isThatOfTheGroupOfItsJobs() {
            api.put("/api/v1/groups/licenses", "{\"maxJobs\": 3}").is(201);
            ObjectNode request = request("0-7", null);
            ((ObjectNode) request.at("/job/spec")).put("group", "licenses");
            String id = submit(request).path("id").asString();

            assertThat(limit(id, "2").is(422).text()).contains("/limit", "change maxJobs of the group");
            limit(id, "null").is(200);
        }
    }

    @Nested
    class AnArray {
        @Test
        void isCanceledAsAWhole() {
            String id = id("0-11", null);
            rounds.run();
            assertThat(running()).isEqualTo(8);
            world.sql("update job set allocated_since = now() - interval '100 seconds' where state = 'RUNNING'");

            JsonNode canceled =
                    api.post(ARRAYS + "/%s/cancel".formatted(id)).is(200).json();

            assertThat(canceled.at("/states/CANCELLED").asInt()).isEqualTo(12);
            assertThat(canceled.path("endedAt").isString()).isTrue();
            assertThat(world.value(Long.class, "select count(*) from job_event where kind = 'CANCELLED'"))
                    .isEqualTo(12);
            assertThat(canceled.path("slots").asInt()).isZero();
            assertThat(world.value(Double.class, "select sum(attained_service) from job"))
                    .isBetween(800.0, 1600.0);
            assertThat(world.value(Long.class, "select count(*) from job_allocation where ended_at is null"))
                    .isZero();
            api.post(ARRAYS + "/%s/cancel".formatted(id)).is(200);
        }

        @Test
        void isHeldAndReleased() {
            String id = id("0-3", null);
            api.post(ARRAYS + "/%s/hold".formatted(id)).is(200);
            rounds.run();

            assertThat(running()).isZero();
            assertThat(array(id).path("held").asInt()).isEqualTo(4);

            api.post(ARRAYS + "/%s/release".formatted(id)).is(200);
            rounds.run();

            assertThat(running()).isEqualTo(4);
        }

        @Test
        void countsItsJobsAndNamesTheFirstThatFailed() {
            String id = id("0-3", null);
            world.sql("update job set state = 'FAILED', ended_at = now() where array_index in (1, 3)");

            assertThat(array(id).at("/states/FAILED").asInt()).isEqualTo(2);
            assertThat(array(id).path("failedIndices").toString()).isEqualTo("[1,3]");
            assertThat(array(id).path("endedAt").isNull()).isTrue();
        }

        @Test
        void isOneEntryOfALists() {
            String id = id("0-3", null);
            String single = jobAwaiting();

            assertThat(api.get("/api/v1/jobs?array=NONE").is(200).json().path("items"))
                    .extracting(job -> job.path("id").asString())
                    .containsExactly(single);
            assertThat(api.get(ARRAYS + "?active=true")
                            .is(200)
                            .json()
                            .at("/items/0/id")
                            .asString())
                    .isEqualTo(id);
            assertThat(api.get(ARRAYS + "?active=false")
                            .is(200)
                            .json()
                            .path("items")
                            .isEmpty())
                    .isTrue();
        }

        @Test
        void takesDependentsWithIt() {
            String id = id("0-1", null);
            String last = jobs(id).get(0).path("id").asString();
            String dependent = jobAwaiting(last);

            api.post(ARRAYS + "/%s/cancel".formatted(id)).is(200);

            assertThat(world.state(dependent)).isEqualTo("CANCELLED");
        }
    }
}
