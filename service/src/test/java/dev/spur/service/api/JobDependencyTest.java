package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Dependencies between jobs, on eight slots. */
class JobDependencyTest extends PreparationsTest {
    private static final String UNKNOWN = "00000000-0000-4000-8000-000000000000";

    private static String dependency(String job, String when) {
        return "{\"job\": \"%s\", \"when\": \"%s\"}".formatted(job, when);
    }

    private String after(String... dependencies) {
        return api.post("/api/v1/jobs", job(String.join(", ", dependencies)))
                .is(201)
                .json()
                .path("id")
                .asString();
    }

    private void end(String job, String state) {
        long generation = world.generation(job);
        api.post("/api/v1/jobs/%s/progress".formatted(job), """
                {"generation": %d, "seq": 1, "samplesTotal": 1000000, "state": "%s"}
                """.formatted(generation, state))
                .is(200);
    }

    private JsonNode explanation(String job) {
        return api.get("/api/v1/jobs/%s/explanation".formatted(job)).is(200).json();
    }

    private Answer patch(String job, String body) {
        return api.patch("/api/v1/jobs/" + job, body, "If-Match", tag(job));
    }

    private String tag(String job) {
        return api.get("/api/v1/jobs/" + job).is(200).header("ETag");
    }

    @Nested
    class AfterSuccess {
        @Test
        void aJobStartsWhenTheOtherIsDone() {
            String first = after();
            String second = after(dependency(first, "SUCCEEDED"));
            rounds.run();

            assertThat(world.state(second)).as("slots are free").isEqualTo("SUBMITTED");
            assertThat(explanation(second).at("/waiting/reason").asString()).isEqualTo("DEPENDENCY");

            end(first, "COMPLETED");
            rounds.run();

            assertThat(world.state(second)).isEqualTo("RUNNING");
            assertThat(world.value(
                            Integer.class,
                            "select count(*)::int from job_event where job_id = ? and kind = 'DEPENDENCIES_MET'",
                            second))
                    .isOne();
        }

        @Test
        void aJobIsCanceledWithAllThatNeedItWhenTheOtherIsCanceled() {
            String first = after();
            String second = after(dependency(first, "SUCCEEDED"));
            String third = after(dependency(second, "SUCCEEDED"));
            String cleanup = after(dependency(third, "ENDED"));

            api.post("/api/v1/jobs/%s/cancel".formatted(first)).is(200);
            rounds.run();

            assertThat(world.state(second)).isEqualTo("CANCELLED");
            assertThat(world.state(third)).isEqualTo("CANCELLED");
            assertThat(world.state(cleanup)).isEqualTo("RUNNING");
            assertThat(explanation(third).path("message").asString()).contains("the success of train (cancelled)");
        }

        @Test
        void allOthersMustSucceed() {
            String one = after();
            String two = after();
            String last = after(dependency(one, "SUCCEEDED"), dependency(two, "SUCCEEDED"));
            rounds.run();
            end(one, "COMPLETED");
            rounds.run();

            assertThat(world.state(last)).isEqualTo("SUBMITTED");

            end(two, "COMPLETED");
            rounds.run();

            assertThat(world.state(last)).isEqualTo("RUNNING");
        }
    }

    @Nested
    class AfterTheEnd {
        @Test
        void aJobStartsWhateverTheOtherEndsWith() {
            String first = after();
            String second = after(dependency(first, "ENDED"));
            rounds.run();
            end(first, "FAILED");
            rounds.run();

            assertThat(world.state(second)).isEqualTo("RUNNING");
        }
    }

    @Nested
    class AfterTheStart {
        @Test
        void aJobStartsInTheNextRound() {
            String first = after();
            String second = after(dependency(first, "STARTED"));
            rounds.run();

            assertThat(world.state(first)).isEqualTo("RUNNING");
            assertThat(world.state(second)).isEqualTo("SUBMITTED");

            rounds.run();

            assertThat(world.state(second)).isEqualTo("RUNNING");
        }

        @Test
        void ofAPreparationToo() {
            String data = submitted();
            String job = after(dependency(data, "STARTED"));
            runs(data);
            rounds.run();

            assertThat(world.state(job)).isEqualTo("RUNNING");
        }
    }

    @Nested
    class APreparation {
        @Test
        void waitsForATrainingJob() {
            String first = after();
            String data = submitted(", \"dependsOn\": [%s]".formatted(dependency(first, "SUCCEEDED")));
            runs(data);

            assertThat(world.state(data)).isEqualTo("SUBMITTED");

            end(first, "COMPLETED");
            rounds.run();

            assertThat(world.state(data)).isEqualTo("RUNNING");
        }
    }

    @Nested
    class ARequest {
        @Test
        void namesEveryBrokenDependency() {
            String canceled = after();
            api.post("/api/v1/jobs/%s/cancel".formatted(canceled)).is(200);
            world.sql("insert into tenant (name, parent, weight, quotas) values ('other', 'root', 1, '{}')");
            String foreign = after();
            world.sql("update job set tenant = 'other' where id = ?", foreign);
            String twice = after();

            Answer answer = api.post(
                    "/api/v1/jobs",
                    job(String.join(
                            ", ",
                            dependency(UNKNOWN, "ENDED"),
                            dependency(foreign, "ENDED"),
                            dependency(canceled, "SUCCEEDED"),
                            dependency(twice, "ENDED"),
                            dependency(twice, "STARTED"))));

            assertThat(answer.is(422).text())
                    .contains(
                            "/dependsOn/0/job",
                            "the tenant has no job " + UNKNOWN,
                            "/dependsOn/1/job",
                            "the tenant has no job " + foreign,
                            "/dependsOn/2/job",
                            "is CANCELLED, so it never succeeds",
                            "/dependsOn/4/job",
                            "stated twice")
                    .doesNotContain("/dependsOn/3/job");
        }

        @Test
        void isAcceptedWithMetDependencies() {
            String canceled = after();
            api.post("/api/v1/jobs/%s/cancel".formatted(canceled)).is(200);
            String job = after(dependency(canceled, "ENDED"));
            rounds.run();

            assertThat(world.state(job)).isEqualTo("RUNNING");
        }
    }

    @Nested
    class APatch {
        @Test
        void replacesTheDependencies() {
            String first = after();
            String second = after(dependency(first, "SUCCEEDED"));
            patch(second, "{\"dependsOn\": []}").is(200);
            rounds.run();

            assertThat(world.state(second)).isEqualTo("RUNNING");
        }

        @Test
        void thatClosesACycleNamesIt() {
            String first = after();
            String second = after(dependency(first, "SUCCEEDED"));
            String third = after(dependency(second, "ENDED"));
            patch(third, "{\"name\": \"third\"}").is(200);

            Answer answer = patch(first, "{\"dependsOn\": [%s]}".formatted(dependency(third, "STARTED")));

            assertThat(answer.is(422).text()).contains("/dependsOn/0/job", "train → third → train → train");
            assertThat(patch(first, "{\"dependsOn\": [%s]}".formatted(dependency(first, "ENDED")))
                            .is(422)
                            .text())
                    .contains("cannot depend on itself");
        }

        @Test
        void ofARunningJobIsRejected() {
            String first = after();
            String other = after();
            rounds.run();

            assertThat(patch(first, "{\"dependsOn\": [%s]}".formatted(dependency(other, "ENDED")))
                            .is(409)
                            .text())
                    .contains("after the start of the job");
        }

        @Test
        void closesNoCycleTogetherWithAnother() {
            for (int attempt = 0; attempt < 5; attempt++) {
                String a = after();
                String b = after(dependency(a, "ENDED"));
                String c = after();
                String d = after(dependency(c, "ENDED"));
                String tagOfA = tag(a);
                String tagOfC = tag(c);

                CompletableFuture<Answer> one = CompletableFuture.supplyAsync(() -> api.patch(
                        "/api/v1/jobs/" + a,
                        "{\"dependsOn\": [%s]}".formatted(dependency(d, "ENDED")),
                        "If-Match",
                        tagOfA));
                Answer other = api.patch(
                        "/api/v1/jobs/" + c,
                        "{\"dependsOn\": [%s]}".formatted(dependency(b, "ENDED")),
                        "If-Match",
                        tagOfC);
                one.join();

                assertThat(world.value(
                                Integer.class,
                                "select sum(cardinality(unmet_dependencies))::int from job where id = any(?)",
                                (Object) new String[] {a, b, c, d}))
                        .as("attempt %d, %s", attempt, other.text())
                        .isLessThan(4);
            }
        }
    }

    @Nested
    class AnExplanation {
        @Test
        void showsTheChainAndTheDependents() {
            String first = after();
            String second = after(dependency(first, "SUCCEEDED"));
            String third = after(dependency(second, "ENDED"));

            JsonNode dependencies = explanation(third).path("dependencies");

            assertThat(dependencies.valueStream().map(one -> one.path("jobId").asString()))
                    .containsExactly(second, first);
            assertThat(dependencies.at("/1/depth").asInt()).isEqualTo(2);
            assertThat(dependencies.at("/1/when").asString()).isEqualTo("SUCCEEDED");
            assertThat(explanation(first).at("/dependents/0/jobId").asString()).isEqualTo(second);
        }
    }

    @Nested
    class AnEnd {
        @Test
        void isNeverMissed() {
            for (int attempt = 0; attempt < 10; attempt++) {
                String first = after();
                rounds.run();

                CompletableFuture<Void> end = CompletableFuture.runAsync(() -> end(first, "FAILED"));
                String second = after(dependency(first, "ENDED"));
                end.join();

                assertThat(world.value(
                                Integer.class, "select cardinality(unmet_dependencies) from job where id = ?", second))
                        .as("attempt %d", attempt)
                        .isZero();
                api.post("/api/v1/jobs/%s/cancel".formatted(second)).is(200);
            }
        }
    }

    @Nested
    class AnArray {
        private String array(String indices, String dependencies) {
            ObjectNode job = (ObjectNode) RoundJson.mapper().readTree(job(dependencies));
            ((ObjectNode) job.at("/spec/elasticity")).put("maxSlots", 1);
            return api.post("/api/v1/arrays", "{\"indices\": \"%s\", \"job\": %s}".formatted(indices, job))
                    .is(201)
                    .json()
                    .path("id")
                    .asString();
        }

        private String afterArray(String array, String when) {
            return after(dependency(array, when).replace("job", "array"));
        }

        private List<String> jobs(String array) {
            return List.of(world.value(
                            String.class,
                            "select string_agg(id, ',' order by array_index) from job where array_id = ?",
                            array)
                    .split(","));
        }

        @Test
        void mustSucceedAsAWhole() {
            String array = array("0-1", "");
            String job = afterArray(array, "SUCCEEDED");
            rounds.run();
            end(jobs(array).get(0), "COMPLETED");
            rounds.run();

            assertThat(world.state(job)).isEqualTo("SUBMITTED");
            JsonNode why = explanation(job);
            assertThat(why.at("/dependencies/0/arrayId").asString()).isEqualTo(array);
            assertThat(why.at("/dependencies/0/remaining").asInt()).isEqualTo(1);
            assertThat(why.path("message").asString()).contains("the success of array train (2 jobs)");
            assertThat(explanation(jobs(array).get(1)).at("/dependents/0/jobId").asString())
                    .isEqualTo(job);

            end(jobs(array).get(1), "COMPLETED");
            rounds.run();

            assertThat(world.state(job)).isEqualTo("RUNNING");
        }

        @Test
        void cancelsAllThatNeedItsSuccessWhenAJobFails() {
            String array = array("0-1", "");
            String job = afterArray(array, "SUCCEEDED");
            String needing = array("0-2", dependency(array, "SUCCEEDED").replace("job", "array"));
            String last = afterArray(needing, "SUCCEEDED");
            String cleanup = afterArray(needing, "ENDED");
            rounds.run();
            end(jobs(array).get(1), "FAILED");

            assertThat(world.state(job)).isEqualTo("CANCELLED");
            assertThat(jobs(needing)).allMatch(one -> world.state(one).equals("CANCELLED"));
            assertThat(world.state(last)).isEqualTo("CANCELLED");
            assertThat(world.value(
                            String.class,
                            "select detail ->> 'name' from job_event where job_id = ? and kind = 'CANCELLED'",
                            job))
                    .isEqualTo("train-1");
            rounds.run();
            assertThat(world.state(cleanup)).isEqualTo("RUNNING");
        }

        @Test
        void mustEndOrStartAsAWhole() {
            String array = array("0-1", "");
            String ended = afterArray(array, "ENDED");
            String started = afterArray(array, "STARTED");
            api.post("/api/v1/jobs/%s/hold".formatted(jobs(array).get(1))).is(200);
            rounds.run();
            rounds.run();
            assertThat(world.state(started)).isEqualTo("SUBMITTED");

            api.post("/api/v1/jobs/%s/release".formatted(jobs(array).get(1))).is(200);
            rounds.run();
            rounds.run();
            assertThat(world.state(started)).isEqualTo("RUNNING");

            end(jobs(array).get(0), "FAILED");
            rounds.run();
            assertThat(world.state(ended)).isEqualTo("SUBMITTED");
            end(jobs(array).get(1), "COMPLETED");
            rounds.run();
            assertThat(world.state(ended)).isEqualTo("RUNNING");
        }

        @Test
        void isNamedWhereItCannotBeAwaited() {
            String array = array("0-1", "");
            String own = jobs(array).get(0);
            String job = afterArray(array, "ENDED");

            assertThat(patch(own, "{\"dependsOn\": [{\"array\": \"%s\"}]}".formatted(array))
                            .is(422)
                            .text())
                    .contains("/dependsOn/0/array", "cannot depend on itself");
            assertThat(patch(own, "{\"dependsOn\": [%s]}".formatted(dependency(job, "ENDED")))
                            .is(422)
                            .text())
                    .contains("train-0 → train → train");
            api.post("/api/v1/jobs/%s/cancel".formatted(own)).is(200);
            assertThat(api.post(
                                    "/api/v1/jobs",
                                    job("{\"array\": \"%s\"}, {\"array\": \"%s\"}".formatted(array, UNKNOWN)))
                            .is(422)
                            .text())
                    .contains("has a job that is CANCELLED", "the tenant has no array " + UNKNOWN);
        }

        @Test
        void isNeverMissedWhenItsJobsEndTogether() {
            for (int attempt = 0; attempt < 10; attempt++) {
                String array = array("0-1", "");
                String job = afterArray(array, "ENDED");
                rounds.run();

                CompletableFuture<Void> other =
                        CompletableFuture.runAsync(() -> end(jobs(array).get(1), "COMPLETED"));
                end(jobs(array).get(0), "COMPLETED");
                other.join();

                assertThat(world.value(
                                Integer.class, "select cardinality(unmet_dependencies) from job where id = ?", job))
                        .as("attempt %d", attempt)
                        .isZero();
                api.post("/api/v1/jobs/%s/cancel".formatted(job)).is(200);
            }
        }
    }
}
