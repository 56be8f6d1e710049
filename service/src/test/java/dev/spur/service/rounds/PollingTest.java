package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.plans.PlanFeed;
import dev.spur.service.testing.Client;
import dev.spur.service.testing.ServiceTest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class PollingTest extends ServiceTest {
    private static final String PLAN = "/api/v1/plans/current";

    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @Autowired
    private PlanFeed feed;

    private Lease lease;
    private Client client;

    @BeforeEach
    void plan() throws Exception {
        client = client();
        lease = new Lease("test", leases.take("test", 600).orElseThrow());
        world.node("n1", 4);
        world.node("n2", 4);
        world.job(4);
        publish();
    }

    /** Publishes a plan and waits until the feed has it. */
    private void publish() throws InterruptedException {
        assertThat(runner.run(lease, "test").outcome().planRevision()).isNotNull();
        awaitFeed();
    }

    @Nested
    class TheCurrentPlan {
        @Test
        void isAnsweredAtOnceToWhoKnowsNothing() throws Exception {
            HttpResponse<String> plan = client.get(PLAN);

            assertThat(plan.statusCode()).isEqualTo(200);
            assertThat(plan.headers().firstValue("ETag")).contains("W/\"1\"");
            assertThat(plan.headers().firstValue("Plan-Revision")).contains("1");
            assertThat(Client.json(plan).path("running").size()).isEqualTo(1);
        }

        @Test
        void isNotSentAgainToWhoHasIt() throws Exception {
            assertThat(client.get(PLAN, "If-None-Match", "\"1\"").statusCode()).isEqualTo(304);
            assertThat(client.get(PLAN + "?after=1").statusCode()).isEqualTo(304);
            assertThat(client.get(PLAN + "?after=0").statusCode()).isEqualTo(200);
        }

        @Test
        void isSentAtOnceToWhoHasSeenADatabaseThatIsNoMore() throws Exception {
            assertThat(client.get(PLAN + "?after=99&wait=30").statusCode()).isEqualTo(200);
            assertThat(client.get(PLAN, "If-None-Match", "\"99\"").statusCode()).isEqualTo(200);
            assertThat(client.get("/api/v1/nodes/n1/assignments?after=99&wait=30")
                            .statusCode())
                    .isEqualTo(200);
        }

        @Test
        void isNotThereBeforeTheFirstRound() throws Exception {
            world.reset();
            await(() -> status(PLAN) == 404);
        }

        @Test
        void isWaitedForUntilTheTimeIsOver() throws Exception {
            long start = System.nanoTime();
            int status = client.get(PLAN + "?after=1&wait=1").statusCode();

            assertThat(status).isEqualTo(304);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(850));
        }
    }

    @Nested
    class OneThousandWaitingCallers {
        private static final int CALLERS = 1000;

        @Test
        void allReceiveTheNewPlan() throws Exception {
            List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                calls.add(client.getAsync(PLAN + "?after=1&wait=30"));
            }
            await(() -> feed.waiting() == CALLERS);
            world.job(4);
            runner.run(lease, "test");
            CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);

            assertThat(calls).allSatisfy(call -> {
                assertThat(call.join().statusCode()).isEqualTo(200);
                assertThat(call.join().headers().firstValue("ETag")).contains("W/\"2\"");
                assertThat(call.join().body()).isEqualTo(calls.get(0).join().body());
            });
            assertThat(feed.waiting()).isZero();
        }
    }

    @Nested
    class ANode {
        @Test
        void receivesItsPart() throws Exception {
            var part = Client.json(client.get("/api/v1/nodes/n1/assignments"));

            assertThat(part.path("revision").asInt()).isEqualTo(1);
            var assignment = part.path("assignments").path(0);
            assertThat(assignment.path("devices").size()).isEqualTo(4);
            assertThat(assignment.path("worldSize").asInt()).isEqualTo(4);
            assertThat(assignment.path("configuration").path("perDeviceBatch").asInt())
                    .isEqualTo(16);
        }

        @Test
        void isNotNotifiedOfChangesElsewhere() throws Exception {
            var waiting = client.getAsync("/api/v1/nodes/n1/assignments?after=1&wait=2");
            var affected = client.getAsync("/api/v1/nodes/n2/assignments?after=0&wait=30");
            await(() -> feed.waiting() == 2);
            world.job(4);
            publish();

            assertThat(affected.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            HttpResponse<String> untouched = waiting.get(30, TimeUnit.SECONDS);
            assertThat(untouched.statusCode()).isEqualTo(304);
            assertThat(untouched.headers().firstValue("ETag")).contains("\"1\"");
            assertThat(untouched.headers().firstValue("Plan-Revision")).contains("2");
        }

        @Test
        void withoutAnythingToDoHasAnEmptyPart() throws Exception {
            HttpResponse<String> part = client.get("/api/v1/nodes/n2/assignments");

            assertThat(part.headers().firstValue("ETag")).contains("\"0\"");
            assertThat(Client.json(part).path("assignments").size()).isZero();
        }

        @Test
        void thatIsNotRegisteredIsNotFound() throws Exception {
            assertThat(status("/api/v1/nodes/nowhere/assignments")).isEqualTo(404);
        }
    }

    @Nested
    class Plans {
        @Test
        void areListedAndCompared() throws Exception {
            world.job(4);
            publish();
            var list = Client.json(client.get("/api/v1/plans?limit=1"));
            var diff = Client.json(client.get("/api/v1/plans/2/diff"));

            assertThat(list.path("items").path(0).path("revision").asInt()).isEqualTo(2);
            assertThat(list.path("items").path(0).path("running").asInt()).isEqualTo(2);
            assertThat(list.path("next").isNull()).isFalse();
            assertThat(diff.path("base").asInt()).isEqualTo(1);
            assertThat(diff.path("unchanged").asInt()).isEqualTo(1);
            assertThat(diff.path("changes").path(0).path("change").asString()).isEqualTo("START");
            assertThat(diff.path("changes").path(0).path("restartSeconds").asDouble())
                    .as("a first start is no restart")
                    .isZero();
            assertThat(client.get("/api/v1/plans/1", "If-None-Match", "\"1\"").statusCode())
                    .isEqualTo(304);
            assertThat(status("/api/v1/plans/3")).isEqualTo(404);
        }
    }

    @Nested
    class Rounds {
        @Test
        void areListedWithTheirFigures() throws Exception {
            var round = Client.json(client.get("/api/v1/rounds")).path("items").path(0);

            assertThat(round.path("status").asString()).isEqualTo("PUBLISHED");
            assertThat(round.path("planRevision").asInt()).isEqualTo(1);
            assertThat(round.path("steps").findValuesAsString("step"))
                    .containsExactly(
                            "predict",
                            "profile",
                            "snapshot",
                            "check",
                            "plan",
                            "validate",
                            "aggregate",
                            "diff",
                            "publish",
                            "save");
            assertThat(round.path("inputHash").asString()).hasSize(64);
            assertThat(round.path("saved").asBoolean()).isTrue();
        }

        @Test
        void giveTheProblemThatTheySolved() throws Exception {
            var problem = Client.json(client.get("/api/v1/rounds/1/snapshot"));

            assertThat(problem.path("format").asString()).isEqualTo("spur-snapshot/1");
            assertThat(problem.path("jobs").size()).isEqualTo(1);
            assertThat(status("/api/v1/rounds/2/snapshot")).isEqualTo(404);
        }

        @Test
        void areCalledOnceByManyCalls() throws Exception {
            HttpResponse<String> first = client.post("/api/v1/rounds", "");
            HttpResponse<String> second = client.post("/api/v1/rounds", "");

            assertThat(first.statusCode()).isEqualTo(202);
            assertThat(first.headers().firstValue("Location")).contains("/api/v1/rounds/2");
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(Client.json(client.get("/api/v1/rounds/2"))
                            .path("status")
                            .asString())
                    .isEqualTo("REQUESTED");
            assertThat(runner.run(lease, "test").number()).isEqualTo(2);
        }

        @Test
        void areNotCalledWhileOneRuns() throws Exception {
            policy.use(problem -> {
                try {
                    HttpResponse<String> call = client.post("/api/v1/rounds", "");
                    assertThat(call.statusCode()).isEqualTo(409);
                    assertThat(Client.json(call).path("location").asString()).isEqualTo("/api/v1/rounds/2");
                } catch (Exception failure) {
                    throw new IllegalStateException(failure);
                }
                throw new IllegalStateException("enough");
            });

            assertThat(runner.run(lease, "test").outcome().error()).endsWith("enough");
        }
    }

    private int status(String path) {
        try {
            return client.get(path).statusCode();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
