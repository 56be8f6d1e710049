package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** Aggregators from the plan to the executors. */
class AggregatorsTest extends ExecutorsTest {
    @Autowired
    private MeterRegistry registry;

    @BeforeEach
    void nodesOfferAggregation() {
        world.sql("update node set aggregation_slots = 4");
    }

    /** What lies on the first aggregator of an executor, as job and generation. */
    private List<String> gangs(FakeExecutor executor) {
        return aggregators(executor)
                .path(0)
                .path("shardsByJob")
                .valueStream()
                .map(part -> part.path("jobId").asString() + "."
                        + part.path("generation").asLong())
                .toList();
    }

    private void start(String job) {
        String assignment = assignment(job);
        one.step(assignment, "ACCEPTED").is(200);
        one.step(assignment, "STARTING").is(200);
        one.step(assignment, "RUNNING").is(200);
    }

    /** The newest plan; the current one is handed out from memory, which may be a moment behind. */
    private JsonNode current() {
        long revision = world.value(Long.class, "select max(revision) from plan");
        return api.get("/api/v1/plans/" + revision).is(200).json();
    }

    @Nested
    class TwoJobsThatSendLittle {
        private String first;
        private String second;

        @BeforeEach
        void run() {
            first = served(piece("n1", "d0"), 5e7, share("n2"));
            second = served(piece("n1", "d1"), 5e7, share("n2"));
        }

        @Test
        void areServedByOneAggregator() {
            JsonNode there = aggregators(two);

            assertThat(aggregators(one)).isEmpty();
            assertThat(there).hasSize(1);
            assertThat(there.path(0).path("cpus").asDouble()).isEqualTo(1);
            assertThat(there.path(0)
                            .path("shardsByJob")
                            .valueStream()
                            .map(part -> part.path("jobId").asString()))
                    .containsExactlyInAnyOrder(first, second);
            assertThat(there.path(0).path("shardsByJob").path(0).path("workers").asInt())
                    .isEqualTo(1);
            assertThat(there.path(0).path("shardsByJob").path(0).path("shards")).hasSize(8);
        }

        @Test
        void learnWhereThatIs() {
            JsonNode known = one.poll(first).path("aggregators");
            JsonNode there = aggregators(two).path(0);

            assertThat(known).hasSize(1);
            assertThat(known.path(0).path("address").asString()).isEqualTo("n2.example");
            assertThat(known.path(0).path("port").asInt())
                    .isEqualTo(there.path("port").asInt());
            assertThat(known.path(0).path("shards")).hasSize(8);
        }

        @Test
        void areInThePlan() {
            JsonNode plan = current();

            assertThat(plan.path("aggregators")).hasSize(1);
            assertThat(plan.path("aggregators").path(0).path("load").asDouble()).isCloseTo(0.2, within(1e-9));
            assertThat(plan.path("running").path(0).path("message").asString())
                    .contains("shares aggregators with 1 other job");
        }

        @Test
        void waitOnlyForTheirOwnNodes() {
            one.step(assignment(first), "ACCEPTED").is(200);

            assertThat(one.step(assignment(first), "STARTING")
                            .is(200)
                            .json()
                            .path("mayStart")
                            .asBoolean())
                    .isTrue();
        }

        @Test
        void goOnInTheirGenerationWhenTheirShardsMove() {
            one.step(assignment(first), "ACCEPTED").is(200);
            one.step(assignment(first), "STARTING").is(200);
            one.step(assignment(first), "RUNNING").is(200);
            int port = one.poll(first).path("aggregators").path(0).path("port").asInt();
            plan.serve(first, share("n1"));
            plan.serve(second, share("n1"));
            rounds.run();

            JsonNode now = one.poll(first);
            assertThat(world.generation(first)).isEqualTo(1);
            assertThat(now.path("state").asString()).isEqualTo("RUNNING");
            assertThat(now.path("aggregators").path(0).path("address").asString())
                    .isEqualTo("n1.example");
            assertThat(now.path("aggregators").path(0).path("port").asInt()).isNotEqualTo(port);
            assertThat(aggregators(two)).isEmpty();
            assertThat(aggregators(one)).hasSize(1);
            assertThat(api.get(JOBS + first)
                            .json()
                            .path("allocation")
                            .path("aggregation")
                            .path(0)
                            .path("node")
                            .asString())
                    .isEqualTo("n1");
        }

        /** Allows next to no stall, so that the jobs do not fit together. Returns the jobs with this remedy so far. */
        private double remedies(String kind) {
            api.patch(
                            "/api/v1/settings",
                            "{\"planning\": {\"aggregation\": {\"maxStallFraction\": 0.0001}}}",
                            "If-Match",
                            "*")
                    .is(200);
            return registry.get("spur.aggregators.remedies")
                    .tag("remedy", kind)
                    .counter()
                    .count();
        }

        @Test
        void getAggregatorsOfTheirOwnWhereTheyFitOnNoSharedOnes() {
            double before = remedies("own_cpus");
            rounds.run();

            JsonNode plan = current();
            assertThat(aggregators(two)).hasSize(2);
            assertThat(plan.path("remedies")).hasSize(1);
            assertThat(plan.at("/remedies/0/kind").asString()).isEqualTo("OWN_CPUS");
            assertThat(plan.path("running").toString()).contains("so it has aggregators of its own.");
            assertThat(remedies("own_cpus") - before).isEqualTo(1);

            rounds.run();
            assertThat(current().path("revision")).isEqualTo(plan.path("revision"));
            assertThat(aggregators(two)).hasSize(2);
            assertThat(remedies("own_cpus") - before)
                    .as("the job shares no more")
                    .isEqualTo(1);
        }

        @Test
        void shareAboveTheLimitsWithoutFreeCpusAndOtherStrategies() {
            double before = remedies("none");
            world.sql("update node set aggregation_slots = 1");
            rounds.run();

            assertThat(aggregators(two)).hasSize(1);
            assertThat(current().at("/remedies/0/kind").asString()).isEqualTo("NONE");
            assertThat(remedies("none") - before).isEqualTo(1);
        }

        @Test
        void leaveTheirAggregatorToTheOtherWhenTheyEnd() {
            int port = aggregators(two).path(0).path("port").asInt();
            api.post(JOBS + first + "/cancel").is(200);
            rounds.run();

            assertThat(aggregators(two)).hasSize(1);
            assertThat(gangs(two)).containsExactly(second + ".1");
            assertThat(aggregators(two).path(0).path("port").asInt()).isEqualTo(port);
        }

        @Test
        void makeTheirLastStepsWhereTheyMadeTheOthers() {
            start(first);
            JsonNode before = one.poll(first).path("aggregators");
            place(first, piece("n1", "d2"));

            assertThat(world.generation(first)).isEqualTo(2);
            assertThat(gangs(two)).containsExactlyInAnyOrder(second + ".1", first + ".1", first + ".2");
            assertThat(one.poll()
                            .valueStream()
                            .filter(item -> item.path("assignmentId").asString().equals(first + ".1"))
                            .map(item -> item.path("aggregators")))
                    .containsExactly(before);
            one.release(first + ".1").is(200);
            rounds.run();
            assertThat(gangs(two)).containsExactlyInAnyOrder(second + ".1", first + ".2");
        }

        @Test
        void keepAnAggregatorThatNothingElseNeedsUntilTheyHaveStopped() {
            start(first);
            api.post(JOBS + second + "/cancel").is(200);
            plan.put(first);
            rounds.run();
            assertThat(gangs(two)).containsExactly(first + ".1");
            one.release(first + ".1").is(200);
            rounds.run();

            assertThat(aggregators(two)).isEmpty();
        }

        @Test
        void learnOfAnotherPortWhenTheirsIsTaken() {
            int port = aggregators(two).path(0).path("port").asInt();
            String broken = "{\"registrationEpoch\": %d, \"brokenAggregators\": [{\"number\": 0, \"port\": %d}]}"
                    .formatted(two.registrationEpoch(), port);
            api.put(two.path() + "/heartbeat", broken).is(200);
            int other = aggregators(two).path(0).path("port").asInt();
            api.put(two.path() + "/heartbeat", broken).is(200);

            assertThat(other).isNotEqualTo(port);
            assertThat(aggregators(two).path(0).path("port").asInt()).isEqualTo(other);
            assertThat(one.poll(first).path("aggregators").path(0).path("port").asInt())
                    .isEqualTo(other);
        }

        @Test
        void haveAggregatorsOfTheirOwnFromTheRoundOnInWhichSharingIsTurnedOff() {
            var settings = api.get("/api/v1/settings").is(200);
            String body = settings.text().replace("\"shared\":true", "\"shared\":false");
            api.put("/api/v1/settings", body, "If-Match", settings.header("ETag"))
                    .is(200);
            rounds.run();

            assertThat(aggregators(two)).hasSize(2);
            assertThat(current().path("running").path(0).path("message").asString())
                    .doesNotContain("shares");
        }
    }

    @Test
    void jobsThatDoNotSayWhatTheySendAreApart() {
        served(piece("n1", "d0"), null, share("n2"));
        served(piece("n1", "d1"), null, share("n2"));

        assertThat(aggregators(two))
                .hasSize(2)
                .allMatch(each -> each.path("shardsByJob").size() == 1);
        assertThat(current().path("aggregators").path(0).path("load").isNull()).isTrue();
    }

    @Test
    void aRoundThatMovesNothingSendsNothing() {
        served(piece("n1", "d1"), 5e7, share("n2"));
        String tag = api.get(two.path() + "/assignments").is(200).header("ETag");
        long revision = current().path("revision").asLong();
        rounds.run();

        assertThat(api.get(two.path() + "/assignments").header("ETag")).isEqualTo(tag);
        assertThat(current().path("revision").asLong()).isEqualTo(revision);
    }
}
