package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.json.RoundJson;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.solver.policy.Policies;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What tests of learning share: submissions over REST, rounds of the real policy, and reports. */
abstract class LearningTestBase extends ServiceTest {
    static final String JOBS = "/api/v1/jobs";

    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @LocalServerPort
    private int port;

    private Lease lease;
    ContractedClient api;

    /** In which dimension a stated profile is wrong by a factor of 2. */
    enum Wrong {
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
                             "cpus": 8, "aggregationSlots": 4}
                            """.formatted(type)).is(201);
        }
    }

    /** True samples/s: synchronisation costs more the more slots there are and less the more aggregation slots. */
    static double truth(String type, int slots, int batch, double aggregation) {
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

    static ObjectNode submission(Wrong wrong) {
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

    String submit(ObjectNode body) {
        return api.post(JOBS, body.toString()).is(201).at("/id");
    }

    /** Runs a round, and waits until responses have its plan. */
    void round() {
        var report = runner.run(lease, "test");
        assertThat(report.outcome().error()).isNull();
        try {
            awaitFeed();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    JsonNode job(String id) {
        return api.get(JOBS + "/" + id).is(200).json();
    }

    Configuration held(String id) {
        return RoundJson.mapper().treeToValue(job(id).at("/allocation/configuration"), Configuration.class);
    }

    static double truth(Configuration held) {
        return truth(held.acceleratorType(), held.slots(), held.batchSize(), held.aggregationSlots());
    }

    static double trueGoodput(Configuration held) {
        return truth(held) * (300 + 64.0) / (300 + held.batchSize());
    }

    void report(String id, int seq, double samplesPerSecond) {
        api.post(
                        JOBS + "/" + id + "/progress",
                        String.format(
                                Locale.ROOT,
                                """
                        {"generation": %d, "seq": %d, "samplesTotal": %d, "state": "RUNNING",
                         "measured": {"samplesPerSecond": %f, "steps": 5000}}
                        """,
                                job(id).path("generation").longValue(),
                                seq,
                                seq * 10,
                                samplesPerSecond))
                .is(200);
    }

    JsonNode prediction(String id) {
        return api.get(JOBS + "/" + id + "/prediction").is(200).json();
    }

    /** The best that could be held, if everything were known. */
    static double best(Wrong wrong) {
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
}
