package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.job.Job;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.testing.Client;
import dev.spur.service.testing.GreedyPolicy;
import dev.spur.service.testing.ServiceTest;
import dev.spur.solver.policy.Policies;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Questions about plans, asked over HTTP and answered by the real policy. */
class OnDemandQueriesTest extends ServiceTest {
    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @Autowired
    private SnapshotReader snapshots;

    private Lease lease;
    private Client client;

    @BeforeEach
    void useTheRealPolicy() {
        client = client();
        policy.use(Policies.spur()::plan);
        lease = new Lease("test", leases.take("test", 600).orElseThrow());
        world.node("n1", 4);
    }

    private void round() throws InterruptedException {
        assertThat(runner.run(lease, "test").outcome().planRevision()).isNotNull();
        awaitFeed();
    }

    /** A fingerprint of everything that a question must not change. */
    private String state() {
        return world.value(String.class, """
                select md5(concat(
                    (select string_agg(j::text, ';' order by id) from job j),
                    (select string_agg(n::text, ';' order by id) from node n),
                    (select string_agg(t::text, ';' order by name) from tenant t),
                    (select string_agg(s::text, ';') from settings s),
                    (select count(*) from round), (select count(*) from plan), (select count(*) from job_event)))
                """);
    }

    @Nested
    class Prices {
        @Test
        void areInTheRoundAndInExplanations() throws Exception {
            String first = world.job(4);
            String second = world.job(4);
            round();
            long number = Client.json(client.get("/api/v1/plans/current"))
                    .path("round")
                    .longValue();

            JsonNode prices =
                    Client.json(client.get("/api/v1/rounds/" + number)).at("/stats/shadowPrices");
            assertThat(prices.get(0).path("resource").asString()).isEqualTo("slots:main/A100");
            assertThat(prices.get(0).path("price").doubleValue()).isPositive();
            boolean firstRuns = world.state(first).equals("RUNNING");
            JsonNode runs = explanation(firstRuns ? first : second);
            JsonNode waits = explanation(firstRuns ? second : first);
            for (JsonNode told : List.of(runs, waits)) {
                assertThat(told.at("/shadowPrices/0/resource").asString()).isEqualTo("slots:main/A100");
                assertThat(told.at("/shadowPrices/0/message").asString()).startsWith("One more slot of main/A100");
                assertThat(told.at("/bid/slots").intValue()).isEqualTo(4);
                assertThat(told.at("/bid/utility").doubleValue()).isPositive();
                assertThat(told.at("/bid/cost").doubleValue())
                        .isCloseTo(4 * prices.get(0).path("price").doubleValue(), within(1e-9));
            }
            assertThat(runs.at("/bid/message").asString())
                    .startsWith("Its utility is ")
                    .contains("on 4 A100");
            assertThat(waits.at("/bid/message").asString())
                    .startsWith("Its utility would be ")
                    .contains("on 4 A100");
        }

        private JsonNode explanation(String job) throws Exception {
            return Client.json(client.get("/api/v1/jobs/" + job + "/explanation"));
        }
    }

    @Nested
    class AQuota {
        @Test
        void isExplainedWithTheJobsThatUseIt() throws Exception {
            world.sql(
                    "insert into tenant (name, parent, weight, quotas) values ('team', 'root', 1, cast(? as jsonb))",
                    "{\"A100\": {\"nominal\": 2, \"borrowingLimit\": 0}}");
            String first = world.job(2);
            String second = world.job(2);
            world.sql("update job set tenant = 'team', name = 'vision'");
            round();

            String waiting = world.state(first).equals("RUNNING") ? second : first;
            assertThat(Client.json(client.get("/api/v1/jobs/" + waiting + "/explanation"))
                            .path("message")
                            .asString())
                    .contains("Quotas do not allow tenant team 2 more slots.")
                    .endsWith(" Jobs of tenant team that hold such slots: vision (2).");
        }
    }

    @Nested
    class ASolve {
        @Test
        void plansForTheProblemOfTheCaller() throws Exception {
            String job = world.job(2);
            String before = state();
            HttpResponse<String> answer = client.post(
                    "/api/v1/solve", RoundJson.write(snapshots.read().problem()));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            JsonNode plan = Client.json(answer);
            assertThat(plan.path("running").path(0).path("jobId").asString()).isEqualTo(job);
            assertThat(plan.path("quality").path("status").asString()).isNotEmpty();
            assertThat(state()).isEqualTo(before);
        }

        @Test
        void namesEverythingThatDoesNotFit() throws Exception {
            world.job(2);
            RoundProblem problem = snapshots.read().problem();
            RoundProblem broken = new RoundProblem(
                    problem.format(),
                    problem.now(),
                    problem.settings(),
                    problem.acceleratorTypes(),
                    List.of(),
                    problem.nodes(),
                    problem.reservations(),
                    List.of(),
                    List.of(),
                    problem.jobs(),
                    problem.memory());
            HttpResponse<String> answer = client.post("/api/v1/solve", RoundJson.write(broken));

            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(Client.json(answer).path("errors").size()).isGreaterThanOrEqualTo(2);
        }

        @Test
        void isRefusedWithMoreThanSixtyFourDifferentRequirementsOnNodes() throws Exception {
            for (int j = 0; j < 65; j++) {
                world.job(1);
            }
            RoundProblem problem = snapshots.read().problem();
            HttpResponse<String> answer = client.post("/api/v1/solve", RoundJson.write(withRequirements(problem, 65)));

            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).contains("have 65 different requirements in elasticity.nodes");
            assertThat(client.post("/api/v1/solve", RoundJson.write(withRequirements(problem, 64)))
                            .statusCode())
                    .isEqualTo(200);
        }

        /** The problem with {@code different} requirements, one or more jobs with each. */
        private RoundProblem withRequirements(RoundProblem problem, int different) {
            List<Job> jobs = new ArrayList<>();
            for (Job job : problem.jobs()) {
                var requirement = new NodeRequirement(
                        "spur/node", NodeRequirement.Operator.NOT_IN, List.of("x" + jobs.size() % different));
                jobs.add(job.withSpec(job.spec()
                        .edit()
                        .elasticity(job.spec().elasticity().withNodes(List.of(requirement)))
                        .build()));
            }
            return problem.withJobs(jobs);
        }

        @Test
        void isRefusedWhenTooManyWaitAndHoldsUpNoPoll() throws Exception {
            round();
            CountDownLatch release = new CountDownLatch(1);
            policy.use(problem -> {
                try {
                    release.await();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
                return new GreedyPolicy().plan(problem);
            });
            String body = RoundJson.write(snapshots.read().problem());
            List<CompletableFuture<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                calls.add(CompletableFuture.supplyAsync(() -> post("/api/v1/solve", body)));
            }
            CompletableFuture.anyOf(calls.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            assertThat(client.get("/api/v1/plans/current").statusCode()).isEqualTo(200);
            release.countDown();
            List<Integer> statuses = calls.stream().map(CompletableFuture::join).toList();

            assertThat(statuses).containsOnly(200, 429).contains(200, 429);
        }

        private int post(String path, String body) {
            try {
                return client().post(path, body).statusCode();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    @Nested
    class AWhatIf {
        @Test
        void returnsTheDifferenceAndChangesNothing() throws Exception {
            world.job(4);
            String second = world.job(4);
            round();
            String before = state();
            String node = """
                    {"change": "ADD_NODES", "nodes": [{"id": "extra", "pool": "main", "acceleratorType": "A100",
                     "devices": ["a", "b", "c", "d"], "cpus": 64, "memoryGiB": 512}]}""";
            HttpResponse<String> answer = client.post("/api/v1/what-if", "{\"changes\": [%s]}".formatted(node));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            JsonNode result = Client.json(answer);
            assertThat(result.path("revision").asInt()).isEqualTo(1);
            assertThat(result.path("changed").path("objectiveValue").asDouble())
                    .isGreaterThan(
                            result.path("baseline").path("objectiveValue").asDouble());
            assertThat(result.path("changes")
                            .valueStream()
                            .map(change -> change.path("change").asString()))
                    .contains("START");
            assertThat(result.path("waiting").size()).isZero();
            assertThat(second).isNotEmpty();
            assertThat(state()).isEqualTo(before);
        }

        @Test
        void statesWhyNoJobUsesAnAddedNode() throws Exception {
            world.sql(
                    "insert into tenant (name, parent, weight, quotas) values ('team', 'root', 1, cast(? as jsonb))",
                    "{\"A100\": {\"nominal\": 4, \"borrowingLimit\": 0}}");
            world.job(4);
            world.job(4);
            world.sql("update job set tenant = 'team'");
            round();
            JsonNode result = Client.json(client.post("/api/v1/what-if", """
                    {"changes": [{"change": "ADD_NODES", "nodes": [{"id": "extra", "pool": "main", "acceleratorType": "A100",
                     "devices": ["a", "b", "c", "d"], "cpus": 64, "memoryGiB": 512}]}]}"""));

            assertThat(result.path("changes").isEmpty()).isTrue();
            JsonNode idle = result.path("idleSlots").path(0);
            assertThat(idle.path("nodes").toString()).isEqualTo("[\"extra\"]");
            assertThat(idle.path("message").asString())
                    .contains(
                            "1 job: the quota leaves too few slots. Of the 4 slots of A100 of tenant team, 4 are in use");
        }

        @Test
        void plansAnAddedJobOfAFamilyAsItsSubmission() throws Exception {
            round();
            String spec = """
                    {"work": {"unit": "SAMPLES", "amount": 1000000}, "elasticity": {"maxSlots": 4},
                     "batch": {"initial": 32, "min": 32, "max": 32, "maxPerDevice": 32}, "family": "mini"}""";

            JsonNode requested = Client.json(client.post(
                    "/api/v1/what-if",
                    "{\"changes\": [{\"change\": \"ADD_JOB\", \"job\": \"new\", \"tenant\": \"root\", \"spec\": %s}]}"
                            .formatted(spec)));
            HttpResponse<String> submitted = client.post(
                    "/api/v1/jobs",
                    "{\"tenant\": \"root\", \"owner\": \"ann\", \"name\": \"a\", \"spec\": %s}".formatted(spec));
            assertThat(submitted.statusCode()).as(submitted.body()).isEqualTo(201);
            round();

            JsonNode started = requested.path("changes").path(0);
            JsonNode planned =
                    explain(Client.json(submitted).path("id").asString(), false).path("running");
            assertThat(started.path("change").asString())
                    .as(requested.toString())
                    .isEqualTo("START");
            assertThat(started.at("/after/configuration")).isEqualTo(planned.at("/allocation/configuration"));
            assertThat(started.path("goodputAfter")).isEqualTo(planned.path("goodput"));
        }

        @Test
        void namesEveryChangeThatDoesNotFit() throws Exception {
            HttpResponse<String> answer = client.post("/api/v1/what-if", """
                    {"changes": [{"change": "REMOVE_JOB", "job": "nobody"},
                                 {"change": "SET_NODE_STATE", "node": "n1", "state": "DRAINING"},
                                 {"change": "REMOVE_NODES", "nodes": ["nowhere"]}]}""");

            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(Client.json(answer)
                            .path("errors")
                            .valueStream()
                            .map(error -> error.path("pointer").asString()))
                    .containsExactly("/changes/0/job", "/changes/2/nodes/0");
        }
    }

    @Nested
    class AnExplanation {
        @Test
        void saysWhyAJobRunsAsItDoes() throws Exception {
            String job = world.job(4);
            round();
            JsonNode why = explain(job, false);

            assertThat(why.path("running").path("jobId").asString()).isEqualTo(job);
            assertThat(why.path("waiting").isNull()).isTrue();
            assertThat(why.path("message").asString()).isNotBlank();
        }

        @Test
        void saysWhyAJobWaits() throws Exception {
            String waits = world.job(9);
            round();
            String late = world.job(1);
            String held = world.job(1);
            world.sql("update job set held = true where id = ?", held);

            assertThat(explain(waits, false).path("waiting").path("reason").asString())
                    .isNotIn("HELD", "NOT_EVALUATED");
            assertThat(explain(late, false).path("waiting").path("reason").asString())
                    .isEqualTo("NOT_EVALUATED");
            assertThat(explain(held, false).path("waiting").path("reason").asString())
                    .isEqualTo("HELD");
            assertThat(client.get("/api/v1/jobs/00000000-0000-0000-0000-000000000000/explanation")
                            .statusCode())
                    .isEqualTo(404);
        }

        @Test
        void warnsThatNothingExecutesAJob() throws Exception {
            String started = world.jobWithCommand(1);
            String followed = world.job(1);
            round();

            JsonNode unserved = explain(started, false).path("warnings");
            assertThat(unserved.at("/0/kind").asString()).isEqualTo("NO_EXECUTOR");
            assertThat(unserved.at("/0/message").asString()).contains("no executor is connected for node n1");
            assertThat(explain(started, false).path("message").asString())
                    .startsWith("Planned, but no executor carries it out. ");
            assertThat(explain(followed, false).path("warnings").size())
                    .as("its program has time for a first report")
                    .isZero();

            world.sql("update job set allocated_since = now() - interval '10 min' where id = ?", followed);
            JsonNode silent = explain(followed, false).path("warnings");
            assertThat(silent.at("/0/kind").asString()).isEqualTo("NO_EXECUTOR");
            assertThat(silent.at("/0/message").asString()).contains("planned on node n1 for 60");
            assertThat(Client.json(client.get("/api/v1/jobs/" + followed)).path("warnings"))
                    .isEqualTo(silent);
        }

        @Test
        void doesNotWarnOfAJobThatIsReported() throws Exception {
            String followed = world.job(1);
            round();
            world.sql("""
                    update job set allocated_since = now() - interval '10 min', observed_state = 'RUNNING', observed_at = now()
                    where id = ?
                    """, followed);

            assertThat(explain(followed, false).path("warnings").size()).isZero();
        }

        @Test
        void saysThatAJobHasEnded() throws Exception {
            String job = world.job(1);
            world.sql("update job set state = 'DONE' where id = ?", job);

            assertThat(explain(job, true).path("message").asString()).isEqualTo("The job is done.");
        }
    }

    @Nested
    class WhatWouldStartAJob {
        @Test
        void isTrueAsAWhatIfShows() throws Exception {
            world.job(4);
            String other = world.job(4);
            round();
            String waits = world.state(other).equals("WAITING") ? other : theOther(other);
            String before = state();
            JsonNode unblock = explain(waits, true).path("unblock");

            assertThat(unblock.path("verified").asBoolean())
                    .as(unblock.toString())
                    .isTrue();
            assertThat(unblock.path("message").asString()).startsWith("It would run with this change: add node");
            HttpResponse<String> shown = client.post(
                    "/api/v1/what-if",
                    "{\"changes\": %s}".formatted(unblock.path("changes").toString()));
            assertThat(shown.statusCode()).as(shown.body()).isEqualTo(200);
            assertThat(Client.json(shown)
                            .path("waiting")
                            .valueStream()
                            .map(d -> d.path("jobId").asString()))
                    .doesNotContain(waits);
            assertThat(state()).isEqualTo(before);
        }

        @Test
        void isRememberedAsLongAsThePlanStands() throws Exception {
            world.job(9);
            String waits = world.value(String.class, "select id from job");
            round();
            JsonNode first = explain(waits, true);
            policy.use(problem -> {
                throw new IllegalStateException("must not be asked again");
            });

            assertThat(explain(waits, true)).isEqualTo(first);
        }

        @Test
        void isTheReleaseOfAJobThatIsHeld() throws Exception {
            String held = world.job(1);
            world.sql("update job set held = true where id = ?", held);
            JsonNode changes = explain(held, true).path("unblock").path("changes");

            assertThat(changes.toString()).isEqualTo("[{\"change\":\"RELEASE_HOLD\",\"job\":\"%s\"}]".formatted(held));
        }

        private String theOther(String job) {
            return world.value(String.class, "select id from job where id <> ?", job);
        }
    }

    @Nested
    class TheQueue {
        @Test
        void listsWhoWaitsByPosition() throws Exception {
            String waits = world.job(9);
            round();
            String held = world.job(1);
            world.sql("update job set held = true where id = ?", held);
            String late = world.job(1);
            JsonNode first = Client.json(client.get("/api/v1/queue?limit=2"));
            JsonNode second = Client.json(client.get(
                    "/api/v1/queue?limit=2&cursor=" + first.path("next").asString()));

            assertThat(ids(first)).containsExactly(waits, late);
            assertThat(ids(second)).containsExactly(held);
            assertThat(second.path("next").isNull()).isTrue();
            assertThat(second.path("items").path(0).path("queuePosition").asInt())
                    .isEqualTo(3);
        }

        private List<String> ids(JsonNode page) {
            return page.path("items")
                    .valueStream()
                    .map(entry -> entry.path("jobId").asString())
                    .toList();
        }
    }

    private JsonNode explain(String job, boolean unblock) throws Exception {
        HttpResponse<String> answer = client.get("/api/v1/jobs/%s/explanation?unblock=%s".formatted(job, unblock));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Client.json(answer);
    }
}
