package dev.spur.service.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.family.FamilySpeeds;
import dev.spur.service.contract.ContractedClient;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.store.LeaseStore;
import dev.spur.service.testing.ServiceTest;
import dev.spur.solver.policy.Policies;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What jobs teach of their speeds, over REST: submissions, rounds of the real policy, and reports. */
class LearningTest extends ServiceTest {
    private static final String JOBS = "/api/v1/jobs";

    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @LocalServerPort
    private int port;

    private Lease lease;
    private ContractedClient api;

    /** In which dimension a stated profile is wrong by a factor of 2. */
    private enum Wrong {
        NOTHING,
        TYPE,
        SLOTS,
        BATCH,
        AGGREGATION
    }

    @BeforeEach
    void registerACluster() {
        policy.use(Policies.spur()::plan);
        lease = new Lease("test", leases.take("test", 600).orElseThrow());
        api = new ContractedClient(port);
        api.put("/api/v1/accelerator-types/V100", "{}").is(201);
        for (String type : new String[] {"A100", "V100"}) {
            api.put("/api/v1/nodes/n-" + type, """
                            {"pool": "main", "acceleratorType": "%s", "devices": ["a", "b", "c", "d", "e", "f", "g", "h"],
                             "aggregationSlots": 4}
                            """.formatted(type)).is(201);
        }
    }

    /** True samples/s: synchronisation costs more the more slots there are and less the more aggregation slots. */
    private static double truth(String type, int slots, int batch, double aggregation) {
        double pass = 0.02 + batch / (double) slots * (type.equals("A100") ? 0.0020 : 0.0042);
        double rest = aggregation == 0 ? 0.004 * (slots - 1) : 0.01 + 0.01 * slots / aggregation;
        return batch / (pass + rest);
    }

    private static double stated(Wrong wrong, String type, int slots, int batch, double aggregation) {
        boolean off = switch (wrong) {
            case NOTHING -> false;
            case TYPE -> type.equals("V100");
            case SLOTS -> slots >= 4;
            case BATCH -> batch >= 256;
            case AGGREGATION -> aggregation >= 2;
        };
        return truth(type, slots, batch, aggregation) * (off ? 2 : 1);
    }

    private static ObjectNode submission(Wrong wrong) {
        ObjectNode body = RoundJson.mapper().createObjectNode();
        body.put("owner", "ann").put("name", "a job");
        ObjectNode spec = body.putObject("spec");
        spec.putObject("work").put("unit", "SAMPLES").put("amount", 5e6);
        spec.putObject("elasticity").put("maxSlots", 8).put("powersOfTwo", true).put("maxNodes", 1);
        spec.putObject("batch")
                .put("initial", 64)
                .put("min", 64)
                .put("max", 512)
                .put("maxPerDevice", 512);
        spec.putObject("efficiency").put("noiseScale", 300);
        spec.put("restartPenaltySeconds", 0);
        if (wrong == Wrong.AGGREGATION) {
            spec.putObject("synchronization")
                    .put("allReduce", false)
                    .put("parameterServer", true)
                    .put("minAggregationSlots", 1)
                    .put("maxAggregationSlots", 4);
        }
        ArrayNode points = spec.putObject("profile").putArray("points");
        for (String type : new String[] {"A100", "V100"}) {
            for (int slots = 1; slots <= 8; slots *= 2) {
                for (int batch = 64; batch <= 512; batch *= 2) {
                    add(points, wrong, type, slots, batch);
                }
            }
        }
        return body;
    }

    private static void add(ArrayNode points, Wrong wrong, String type, int slots, int batch) {
        boolean served = wrong == Wrong.AGGREGATION;
        for (int aggregation = served ? 1 : 0; aggregation <= (served ? 4 : 0); aggregation += 1 + aggregation / 2) {
            points.addObject()
                    .put("acceleratorType", type)
                    .put("slots", slots)
                    .put("batchSize", batch)
                    .put("strategy", served ? "PARAMETER_SERVER" : "ALL_REDUCE")
                    .put("aggregationSlots", aggregation)
                    .put("samplesPerSecond", stated(wrong, type, slots, batch, aggregation));
        }
    }

    private String submit(ObjectNode body) {
        return api.post(JOBS, body.toString()).is(201).at("/id");
    }

    private void round() {
        var report = runner.run(lease, "test");
        assertThat(report.outcome().error()).isNull();
    }

    private JsonNode job(String id) {
        return api.get(JOBS + "/" + id).is(200).json();
    }

    private Configuration held(String id) {
        return RoundJson.mapper().treeToValue(job(id).at("/allocation/configuration"), Configuration.class);
    }

    private static double truth(Configuration held) {
        return truth(held.acceleratorType(), held.slots(), held.batchSize(), held.aggregationSlots());
    }

    private static double trueGoodput(Configuration held) {
        return truth(held) * (300 + 64.0) / (300 + held.batchSize());
    }

    private void report(String id, int seq, double samplesPerSecond) {
        api.post(
                        JOBS + "/" + id + "/progress",
                        String.format(
                                Locale.ROOT,
                                """
                        {"generation": %d, "seq": %d, "samplesTotal": %d, "state": "RUNNING",
                         "measured": {"samplesPerSecond": %f, "steps": 50}}
                        """,
                                job(id).path("generation").longValue(),
                                seq,
                                seq * 10,
                                samplesPerSecond))
                .is(202);
    }

    private JsonNode prediction(String id) {
        return api.get(JOBS + "/" + id + "/prediction").is(200).json();
    }

    /** The best that could be held, if everything were known. */
    private static double best(Wrong wrong) {
        double best = 0;
        boolean served = wrong == Wrong.AGGREGATION;
        for (String type : new String[] {"A100", "V100"}) {
            for (int slots = 1; slots <= 8; slots *= 2) {
                for (int batch = 64; batch <= 512; batch++) {
                    for (int a = served ? 1 : 0; a <= (served ? 4 : 0); a++) {
                        best = Math.max(best, truth(type, slots, batch, a) * 364 / (300 + batch));
                    }
                }
            }
        }
        return best;
    }

    @Nested
    class AProfileThatIsWrongByAFactorOfTwo {
        @ParameterizedTest
        @EnumSource
        void isRightAgainWithinFiveReports(Wrong wrong) {
            String id = submit(submission(wrong));
            for (int seq = 1; seq <= 5; seq++) {
                round();
                report(id, seq, truth(held(id)));
            }
            round();

            Configuration held = held(id);
            assertThat(trueGoodput(held)).as(held.toString()).isGreaterThan(0.85 * best(wrong));
            JsonNode planned = prediction(id).path("planned");
            double left = job(id).path("remainingSamples").doubleValue();
            assertThat(left / planned.at("/seconds/median").doubleValue())
                    .isCloseTo(trueGoodput(held), within(0.1 * trueGoodput(held)));
        }

        @Test
        void isAnEventAndShowsInTheExplanation() {
            String id = submit(submission(Wrong.NOTHING));
            round();
            for (int seq = 1; seq <= 4; seq++) {
                report(id, seq, truth(held(id)) / 2);
            }

            assertThat(api.get(JOBS + "/" + id + "/events").is(200).json().findValuesAsString("kind"))
                    .contains("DRIFT");
            assertThat(api.get(JOBS + "/" + id + "/explanation").is(200).at("/drift"))
                    .contains("2.00 times as long");
            assertThat(prediction(id).at("/drift/factor").doubleValue()).isCloseTo(2, within(0.05));
        }

        @Test
        void isNoEventWhileItIsRight() {
            String id = submit(submission(Wrong.NOTHING));
            round();
            for (int seq = 1; seq <= 4; seq++) {
                report(id, seq, truth(held(id)) * (1 + 0.03 * (seq % 2)));
            }

            assertThat(api.get(JOBS + "/" + id + "/explanation")
                            .is(200)
                            .json()
                            .path("drift")
                            .isNull())
                    .isTrue();
            assertThat(prediction(id).path("reports").intValue()).isEqualTo(4);
        }
    }

    @Nested
    class Reports {
        @Test
        void thatSayAFigureTwiceOrNotAtAllAreRefused() {
            String id = submit(submission(Wrong.NOTHING));
            round();

            for (String measured : new String[] {"{}", "{\"stepSeconds\": 1, \"samplesPerSecond\": 5}"}) {
                String body =
                        "{\"generation\": 1, \"seq\": 1, \"samplesTotal\": 1, \"state\": \"RUNNING\", \"measured\": %s}";
                assertThat(api.post(JOBS + "/" + id + "/progress", body.formatted(measured))
                                .is(ProblemType.UNPROCESSABLE)
                                .at("/errors/0/pointer"))
                        .startsWith("/measured");
            }
            assertThat(prediction(id).path("reports").intValue()).isZero();
        }

        @Test
        void thatAreRepeatedTeachNothing() {
            String id = submit(submission(Wrong.NOTHING));
            round();

            report(id, 1, truth(held(id)));
            report(id, 1, truth(held(id)));

            assertThat(prediction(id).path("reports").intValue()).isOne();
        }
    }

    @Nested
    class Families {
        private ObjectNode ofFamily(String family, boolean withPoints) {
            ObjectNode body = submission(Wrong.NOTHING);
            ObjectNode spec = (ObjectNode) body.path("spec");
            spec.put("family", family);
            if (!withPoints) {
                spec.remove("profile");
            }
            return body;
        }

        @Test
        void thatAreUnknownStartTheSmallestShape() {
            String id = submit(ofFamily("new-net", false));
            round();

            assertThat(held(id).slots()).isOne();
            assertThat(prediction(id).at("/points/0/origin").asString()).isEqualTo("ASSUMED");
        }

        @Test
        void teachTheNextJob() {
            submit(ofFamily("net", true));

            JsonNode next = prediction(submit(ofFamily("net", false)));

            assertThat(next.path("used").booleanValue()).isTrue();
            assertThat(next.path("points").findValuesAsString("origin")).containsOnly("FAMILY");
            next.path("points").forEach(point -> {
                double speed = truth(
                        point.path("acceleratorType").asString(),
                        point.path("slots").intValue(),
                        point.path("batchSize").intValue(),
                        0);
                assertThat(point.path("samplesPerSecond").doubleValue()).isCloseTo(speed, within(0.15 * speed));
            });
        }

        @Test
        void learnFromJobsThatHaveEndedWhileOthersWait() {
            String first = submit(ofFamily("net", false));
            round();
            Configuration held = held(first);
            report(first, 1, truth(held));
            report(first, 2, truth(held));
            String second = submit(ofFamily("net", false));
            assertThat(prediction(second).at("/points/0/origin").asString()).isEqualTo("ASSUMED");

            api.post(JOBS + "/" + first + "/cancel").is(202);
            round();

            FamilySpeeds known = RoundJson.mapper()
                    .readValue(
                            world.value(String.class, "select speeds::text from model_family where name = 'net'"),
                            FamilySpeeds.class);
            assertThat(known.acceleratorTypes(SyncStrategy.ALL_REDUCE)).containsExactly(held.acceleratorType());
            assertThat(held(second).slots()).isGreaterThan(1);
        }

        @Test
        void areNeededWhereNoPointIsStated() {
            ObjectNode body = submission(Wrong.NOTHING);
            ((ObjectNode) body.path("spec")).remove("profile");

            assertThat(api.post(JOBS, body.toString())
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/spec");
        }
    }
}
