package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.web.contract.ProblemType;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A job in three fields, and the default of every other field. */
class SubmissionDefaultsTest extends ApiTest {
    private static final String JOBS = "/api/v1/jobs";
    private static final String PROFILE = """
            {"points": [{"acceleratorType": "A100", "slots": 1, "batchSize": 128, "samplesPerSecond": 410},
                        {"acceleratorType": "A100", "slots": 4, "batchSize": 1024, "samplesPerSecond": 1210}]}""";

    @BeforeEach
    void registerACluster() {
        cluster(4, 4, 2);
    }

    private static String job(String spec) {
        return "{\"name\": \"resnet50\", \"spec\": {\"work\": {\"amount\": 600000}, %s}}".formatted(spec);
    }

    private JsonNode spec(String spec) {
        return api.post(JOBS, job(spec)).is(201).json().path("spec");
    }

    @Nested
    class WithAProfile {
        @Test
        void threeFieldsAreAccepted() {
            JsonNode job =
                    api.post(JOBS, job("\"profile\": " + PROFILE)).is(201).json();

            assertThat(job.path("owner").asString()).isEqualTo("local");
            assertThat(job.path("tenant").asString()).isEqualTo("root");
            assertThat(job.path("totalSamples").doubleValue()).isEqualTo(600000);
            assertThat(job.at("/spec/work/unit").asString()).isEqualTo("SAMPLES");
            assertThat(job.at("/spec/batch")).isEqualTo(RoundJson.mapper().readTree("""
                            {"initial": 128, "min": 128, "max": 2560, "maxPerDevice": 256, "maxPerDeviceByType": {},
                             "accumulation": false, "multipleOf": 1}"""));
            assertThat(job.at("/spec/elasticity/minSlots").intValue()).isEqualTo(1);
            assertThat(job.at("/spec/elasticity/maxSlots").intValue())
                    .as("all devices of the only pool")
                    .isEqualTo(10);
            assertThat(job.at("/spec/family").isNull() || job.at("/spec/family").isMissingNode())
                    .as("a profile needs no family")
                    .isTrue();
        }

        @Test
        void oneBatchNumberIsEnough() {
            JsonNode batch = spec("\"batch\": {\"initial\": 64}, \"profile\": " + PROFILE)
                    .path("batch");

            assertThat(batch.path("min").intValue()).isEqualTo(64);
            assertThat(batch.path("max").intValue()).isEqualTo(2560);
            assertThat(batch.path("maxPerDevice").intValue()).isEqualTo(256);
        }

        @Test
        void theLargestGangKeepsToPoolsNodesHostsQuotasCapsAndBatches() {
            String profile = ", \"profile\": " + PROFILE;
            assertThat(maxSlots("\"elasticity\": {\"maxNodes\": 1}" + profile)).isEqualTo(4);
            assertThat(maxSlots("\"host\": {\"cpusPerSlot\": 32}" + profile))
                    .as("two slots on each of three nodes")
                    .isEqualTo(6);
            assertThat(maxSlots("\"roles\": [{\"name\": \"eval\", \"count\": 3, \"cpus\": 40, \"memoryGiB\": 0}]"
                            + profile))
                    .as("3, 3 and 2 slots with 20 CPUs each for the replicas")
                    .isEqualTo(8);
            assertThat(maxSlots("\"batch\": {\"initial\": 3, \"max\": 3}" + profile))
                    .isEqualTo(3);
            api.put("/api/v1/groups/sweep", "{\"tenant\": \"root\", \"maxSlots\": 5}")
                    .is(201);
            assertThat(maxSlots("\"group\": \"sweep\"" + profile)).isEqualTo(5);
            api.put("/api/v1/tenants/small", "{\"quotas\": {\"A100\": {\"nominal\": 2, \"borrowingLimit\": 0}}}")
                    .is(201);
            String small = job("\"profile\": " + PROFILE).replaceFirst("\\{", "{\"tenant\": \"small\", ");
            assertThat(api.post(JOBS, small)
                            .is(201)
                            .json()
                            .at("/spec/elasticity/maxSlots")
                            .intValue())
                    .isEqualTo(2);
        }

        private int maxSlots(String spec) {
            return spec(spec).at("/elasticity/maxSlots").intValue();
        }

        @Test
        void aMinimumAboveTheClusterIsTheMaximumToo() {
            assertThat(api.post(JOBS, job("\"elasticity\": {\"minSlots\": 20}, \"profile\": " + PROFILE))
                            .is(ProblemType.UNSATISFIABLE)
                            .json()
                            .path("reasons")
                            .toString())
                    .contains("20");
        }
    }

    @Nested
    class WithAFamily {
        @Test
        void theNameIsTheFamilyAndTheBatchIsThatOfTheNewestJob() {
            String first =
                    job("\"batch\": {\"initial\": 96, \"maxPerDevice\": 48}").replace("resnet50", "resnet 50 (big)");
            assertThat(api.post(JOBS, first).is(201).json().at("/spec/family").asString())
                    .isEqualTo("resnet-50-big");

            JsonNode batch = api.post(
                            JOBS,
                            "{\"name\": \"later\", \"spec\": {\"work\": {\"amount\": 5}, \"family\": \"resnet-50-big\"}}")
                    .is(201)
                    .json()
                    .at("/spec/batch");
            assertThat(batch.path("initial").intValue()).isEqualTo(96);
            assertThat(batch.path("maxPerDevice").intValue()).isEqualTo(48);
        }

        @Test
        void everyMissingOrBrokenFieldIsNamedAtOnce() {
            var problem = api.post(JOBS, """
                    {"tenant": "none", "name": "!", "deadline": "2001-01-01T00:00:00Z",
                     "spec": {"work": {"unit": "EPOCHS", "amount": 3}, "elasticity": {"minSlots": 4, "maxSlots": 2}}}""").is(ProblemType.UNPROCESSABLE);

            assertThat(problem.json().path("errors").findValuesAsString("pointer"))
                    .containsExactlyInAnyOrder(
                            "/spec/family",
                            "/spec/batch/initial",
                            "/spec/work",
                            "/spec/elasticity/maxSlots",
                            "/tenant",
                            "/deadline");
        }
    }

    @Nested
    class WithoutABatch {
        @Test
        void aJobIsRigid() {
            JsonNode one = api.post(JOBS, "{\"name\": \"eval\", \"spec\": {}}")
                    .is(201)
                    .json()
                    .path("spec");
            assertThat(one.at("/elasticity/maxSlots").intValue()).isEqualTo(1);
            assertThat(one.at("/batch/initial").intValue()).isEqualTo(1);

            JsonNode four = api.post(
                            JOBS,
                            "{\"name\": \"eval4\", \"spec\": {\"elasticity\": {\"minSlots\": 4, \"maxSlots\": 4}}}")
                    .is(201)
                    .json()
                    .path("spec");
            assertThat(four.at("/elasticity/maxSlots").intValue()).isEqualTo(4);
            assertThat(four.at("/batch")).isEqualTo(RoundJson.mapper().readTree("""
                            {"initial": 4, "min": 4, "max": 4, "maxPerDevice": 1, "maxPerDeviceByType": {},
                             "accumulation": false, "multipleOf": 1}"""));
        }

        @Test
        void whatTheJobStatesIsNotReplaced() {
            for (String stated : List.of(
                    "\"batch\": {\"max\": 512}",
                    "\"batch\": {\"maxPerDevice\": 32}",
                    "\"elasticity\": {\"allowedCounts\": [2, 4]}")) {
                assertThat(api.post(JOBS, "{\"name\": \"s\", \"spec\": {%s}}".formatted(stated))
                                .is(ProblemType.UNPROCESSABLE)
                                .json()
                                .at("/errors/0/pointer")
                                .asString())
                        .as(stated)
                        .isEqualTo("/spec/batch/initial");
            }
        }

        @Test
        void aRangeOfSlotsRequiresIt() {
            api.post(JOBS, "{\"name\": \"e\", \"spec\": {}}").is(201);
            assertThat(api.post(
                                    JOBS,
                                    "{\"name\": \"e\", \"spec\": {\"elasticity\": {\"minSlots\": 1, \"maxSlots\": 4}}}")
                            .is(ProblemType.UNPROCESSABLE)
                            .json()
                            .at("/errors/0/message")
                            .asString())
                    .startsWith("is required for a job with a range of slots");
        }
    }

    @Test
    void nullMeansTheSameAsAbsent() {
        String profile = "\"profile\": " + PROFILE;
        JsonNode absent = spec(profile);
        String nulls = """
                "batch": {"initial": null, "accumulation": null}, "elasticity": null, "host": null, "priority": null,
                "family": null, "restartPenaltySeconds": null, """;

        assertThat(spec(nulls + profile)).isEqualTo(absent);
        String job =
                job(profile).replaceFirst("\\{", "{\"owner\": null, \"tenant\": null, \"waitForHardware\": null, ");
        assertThat(api.post(JOBS, job).is(201).at("/owner")).isEqualTo("local");
        assertThat(api.post(JOBS, "{\"name\": null, \"spec\": {\"work\": {\"amount\": null}}}")
                        .is(ProblemType.INVALID_REQUEST)
                        .json()
                        .path("errors")
                        .findValuesAsString("pointer"))
                .containsExactlyInAnyOrder("/name", "/spec/work/amount");
    }

    @Test
    void aRepeatedRequestIsAReplayAlsoAfterAChangeOfTheCluster() {
        String body = job("\"profile\": " + PROFILE);
        String id = api.post(JOBS, body, "Idempotency-Key", "k").is(201).at("/id");
        api.put("/api/v1/nodes/more", """
                {"pool": "main", "acceleratorType": "A100", "devices": ["d0", "d1"], "cpus": 64, "memoryGiB": 512}""").is(201);

        assertThat(api.post(JOBS, body, "Idempotency-Key", "k").is(201).at("/id"))
                .isEqualTo(id);
    }

    @Test
    void whatIfAndRecommendationsTakeTheSameJob() {
        var change = api.post("/api/v1/what-if", """
                {"changes": [{"change": "ADD_JOB", "job": "resnet50", "spec": {"work": {"amount": 600000}, "profile": %s}}]}""".formatted(PROFILE)).is(200);
        assertThat(change.json().at("/changes/0/jobId").asString("")).isEqualTo("resnet50");

        api.post(
                        "/api/v1/recommendations",
                        "{\"spec\": {\"work\": {\"amount\": 600000}, \"profile\": %s}}".formatted(PROFILE))
                .is(200);
        assertThat(api.post("/api/v1/recommendations", "{\"spec\": {\"work\": {\"amount\": 600000}}}")
                        .is(ProblemType.UNPROCESSABLE)
                        .json()
                        .path("errors")
                        .findValuesAsString("pointer"))
                .containsExactly("/spec/family", "/spec/batch/initial");
    }
}
