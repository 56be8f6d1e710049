package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;

import dev.spur.model.json.RoundJson;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What aggregators are reported to do, and what rounds make of it. Executor two runs them; a step takes a second. */
class MeasuredAggregationTest extends ExecutorsTest {
    private static final int STEPS = 10;

    private final Map<Integer, Integer> windows = new HashMap<>();
    private String instance = "first";

    @BeforeEach
    void nodesOfferAggregation() {
        windows.clear();
        instance = "first";
        world.sql("update node set aggregation_slots = 4");
    }

    /** Reports on all aggregators after ten more steps, in each of which a job kept so much of a slot busy. */
    private Answer report(Map<String, Double> busy) {
        return report(busy, STEPS);
    }

    private final Map<String, double[]> done = new HashMap<>();

    private Answer report(Map<String, Double> busy, int steps) {
        List<String> reports = new ArrayList<>();
        for (JsonNode aggregator : aggregators(two)) {
            int number = aggregator.path("number").asInt();
            int window = windows.merge(number, 1, Integer::sum);
            String shardsByJob = aggregator
                    .path("shardsByJob")
                    .valueStream()
                    .map(jobShards -> jobShards(number, jobShards, busy, steps))
                    .collect(Collectors.joining(", "));
            reports.add("""
                    {"number": %d, "port": %d, "instance": "%s", "seconds": %d, "cpuSeconds": %s, "shardsByJob": [%s]}
                    """.formatted(
                    number, aggregator.path("port").asInt(), instance, 10 * window, 0.5 * 10 * window, shardsByJob));
        }
        return send(String.join(", ", reports));
    }

    private Answer send(String reports) {
        return api.put(
                two.path() + "/heartbeat",
                "{\"registrationEpoch\": %d, \"aggregators\": [%s]}".formatted(two.registrationEpoch(), reports));
    }

    private String jobShards(int number, JsonNode jobShards, Map<String, Double> busy, int steps) {
        String job = jobShards.path("jobId").asString();
        String shards = jobShards
                .path("shards")
                .valueStream()
                .map(shard -> {
                    double[] all =
                            done.computeIfAbsent(instance + number + job + shard.asInt(), key -> new double[] {0, 0});
                    all[0] += steps;
                    all[1] += steps * busy.getOrDefault(job, 0.0) / 8;
                    return "{\"shard\": %d, \"parts\": %d, \"bytes\": %d, \"cpuSeconds\": %s}"
                            .formatted(shard.asInt(), (int) all[0], ((int) all[0]) * 1000, all[1]);
                })
                .collect(Collectors.joining(", "));
        return "{\"jobId\": \"%s\", \"generation\": %d, \"shards\": [%s]}"
                .formatted(job, jobShards.path("generation").asLong(), shards);
    }

    private JsonNode aggregation(String job) {
        return api.get(JOBS + job + "/aggregation").is(200).json();
    }

    @Nested
    class AJobThatStatesHalfOfWhatItSends {
        private String wrong;
        private String other;

        @BeforeEach
        void sharesWhereItShouldNot() {
            wrong = served(piece("n1", "d0"), 1.2e8, share("n2"));
            other = served(piece("n1", "d1"), 1.2e8, share("n2"));
            assertThat(aggregators(two)).hasSize(1);
        }

        private Map<String, Double> truth() {
            return Map.of(wrong, 0.48, other, 0.24);
        }

        @Test
        void isPackedRightWithinFiveReports() {
            for (int report = 0; report < 5; report++) {
                report(truth()).is(200);
            }
            rounds.run();

            assertThat(aggregators(two)).hasSize(2);
            assertThat(aggregation(wrong).path("factor").asDouble()).isCloseTo(2, within(1e-9));
            assertThat(aggregation(wrong).path("estimatedBytes").asDouble()).isCloseTo(2.4e8, within(1.0));
            assertThat(aggregation(wrong).path("expectedLoad").asDouble()).isCloseTo(0.48, within(1e-9));
            assertThat(aggregation(other).path("factor").asDouble()).isEqualTo(1);
            report(truth()).is(200);
            report(truth()).is(200);
            assertThat(aggregation(wrong).path("measuredLoad").asDouble()).isCloseTo(0.48, within(1e-9));
        }

        @Test
        void isInItsExplanation() {
            assertThat(explanation().isNull()).isTrue();

            for (int report = 0; report < 5; report++) {
                report(truth()).is(200);
            }

            assertThat(explanation().asString()).contains("measured 4 times").contains("2.00 times");
        }

        private JsonNode explanation() {
            return api.get(JOBS + wrong + "/explanation").is(200).json().path("aggregation");
        }

        @Test
        void isInTheRoundThatWasSaved() {
            for (int report = 0; report < 5; report++) {
                report(truth()).is(200);
            }
            rounds.run();

            long round = world.value(Long.class, "select max(number) from round");
            JsonNode saved = RoundJson.mapper()
                    .readTree(api.get("/api/v1/rounds/%d/snapshot".formatted(round))
                            .is(200)
                            .text());
            assertThat(saved.path("jobs")
                            .valueStream()
                            .filter(job -> job.path("id").asString().equals(wrong))
                            .map(job -> job.at("/spec/synchronization/gradientBytes")
                                    .asDouble()))
                    .singleElement(DOUBLE)
                    .isCloseTo(2.4e8, within(1.0));
        }

        @Test
        void isStillBelievedAfterThreeReportsTheFirstOfWhichIsWhereCountingBegins() {
            for (int report = 0; report < 3; report++) {
                report(truth()).is(200);
            }
            rounds.run();

            assertThat(aggregators(two)).hasSize(1);
            assertThat(aggregation(wrong).path("windows").asInt()).isEqualTo(2);
        }

        @Test
        void restartsTheCountOnceItStatesAnotherValue() {
            for (int report = 0; report < 5; report++) {
                report(truth()).is(200);
            }
            world.sql("""
                    update job set spec = jsonb_set(spec, '{synchronization,gradientBytes}', '2.4e8'), spec_version = spec_version + 1 where id = ?
                    """, wrong);
            rounds.run();

            assertThat(aggregation(wrong).path("factor").asDouble()).isEqualTo(1);
            assertThat(aggregation(wrong).path("expectedLoad").asDouble()).isCloseTo(0.48, within(1e-9));
            assertThat(aggregators(two)).hasSize(2);
        }
    }

    @Nested
    class Reports {
        private String job;

        @BeforeEach
        void run() {
            job = served(piece("n1", "d0"), 1e8, share("n2"));
        }

        private int windows() {
            return aggregation(job).path("windows").asInt();
        }

        @Test
        void thatComeTwiceCountOnce() {
            report(Map.of(job, 0.4));
            report(Map.of(job, 0.4));
            JsonNode before = aggregation(job);
            windows.merge(0, -1, Integer::sum);
            report(Map.of(job, 0.4)).is(200);

            assertThat(aggregation(job)).isEqualTo(before);
        }

        @Test
        void ofAnotherProcessRestartTheCount() {
            report(Map.of(job, 0.4));
            report(Map.of(job, 0.4));
            instance = "second";
            windows.clear();
            report(Map.of(job, 9.0));
            assertThat(windows()).isEqualTo(1);
            report(Map.of(job, 0.4));

            assertThat(windows()).isEqualTo(2);
        }

        @Test
        void onTooLittleWaitForMore() {
            report(Map.of(job, 0.4), 1);
            report(Map.of(job, 0.4), 1);
            assertThat(windows()).isZero();
            report(Map.of(job, 0.4), 1);

            assertThat(windows()).isEqualTo(1);
        }

        @Test
        void ofWhatDoesNotLieThereArePassedOver() {
            int port = aggregators(two).path(0).path("port").asInt();
            String stranger =
                    "{\"number\": 0, \"port\": %d, \"instance\": \"x\", \"seconds\": %d, \"shardsByJob\": [%s]}";
            String counts =
                    "{\"jobId\": \"%s\", \"generation\": %d, \"shards\": [{\"shard\": %d, \"parts\": %d, \"bytes\": 9}]}";
            for (int second = 1; second < 9; second++) {
                String nobody = counts.formatted("nobody", 1, 0, 100 * second);
                String later = counts.formatted(job, 2, 0, 100 * second);
                String shard = counts.formatted(job, 1, 77, 100 * second);
                send(stranger.formatted(port, second, nobody + ", " + later + ", " + shard))
                        .is(200);
                send(stranger.formatted(port + 1, second, counts.formatted(job, 1, 0, 100 * second)))
                        .is(200);
            }

            assertThat(windows()).isZero();
        }

        @Test
        void withoutCpuTimeCountByBytes() {
            int port = aggregators(two).path(0).path("port").asInt();
            for (int second = 1; second < 6; second++) {
                send("""
                                {"number": 0, "port": %d, "instance": "x", "seconds": %d, "shardsByJob": [{"jobId": "%s", "generation": 1,
                                 "shards": [{"shard": 0, "parts": %d, "bytes": %d}]}]}
                                """.formatted(port, second, job, 10 * second, 10L * second * 37_500_000))
                        .is(200);
            }

            assertThat(aggregation(job).path("factor").asDouble()).isCloseTo(3, within(1e-9));
            assertThat(aggregation(job).path("measuredLoad").isNull()).isTrue();
        }

        @Test
        void showInTheListOfAggregators() {
            report(Map.of(job, 0.4));
            report(Map.of(job, 0.4));

            JsonNode shown = api.get("/api/v1/aggregators").is(200).json().at("/items/0");
            assertThat(shown.path("node").asString()).isEqualTo("n2");
            assertThat(shown.path("utilization").asDouble()).isCloseTo(0.5, within(1e-9));
            assertThat(shown.at("/shardsByJob/0/load").asDouble()).isCloseTo(0.4, within(1e-9));
        }
    }

    @Test
    void theListOfAggregatorsHasPages() {
        served(piece("n1", "d0"), null, share("n2"));
        served(piece("n1", "d1"), null, share("n1"));

        JsonNode first = api.get("/api/v1/aggregators?limit=1").is(200).json();
        JsonNode second = api.get("/api/v1/aggregators?limit=1&cursor="
                        + first.path("next").asString())
                .is(200)
                .json();

        assertThat(first.at("/items/0/node").asString()).isEqualTo("n1");
        assertThat(second.at("/items/0/node").asString()).isEqualTo("n2");
        assertThat(second.path("next").isNull()).isTrue();
    }
}
