package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.prediction.family.FamilySpeeds;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What jobs teach of their speeds, over REST: submissions, rounds of the real policy, and reports. */
class LearningTest extends LearningTestBase {
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

        @Test
        void areListedOverTimeAtIntervals() {
            String id = submit(submission(Wrong.NOTHING));
            round();
            double speed = truth(held(id));

            report(id, 1, speed);
            report(id, 2, 2 * speed);
            world.sql("update job_speed set at = at - interval '11 seconds'");
            report(id, 3, 3 * speed);

            JsonNode speeds =
                    api.get(JOBS + "/" + id + "/speeds").is(200).json().path("items");
            assertThat(speeds.valueStream().map(one -> one.path("slots").asInt()))
                    .containsOnly(held(id).slots());
            assertThat(speeds.valueStream()
                            .map(one -> one.path("samplesPerSecond").asDouble()))
                    .satisfiesExactly(
                            first -> assertThat(first).isCloseTo(speed, within(1e-3)),
                            last -> assertThat(last).isCloseTo(3 * speed, within(1e-3)));
        }

        @Test
        void ofAnOldJobAreListedAtLongerIntervals() {
            String id = submit(submission(Wrong.NOTHING));
            world.sql("update job set submitted_at = submitted_at - interval '100 minutes'");
            round();

            report(id, 1, truth(held(id)));
            world.sql("update job_speed set at = at - interval '50 seconds'");
            report(id, 2, truth(held(id)));

            assertThat(api.get(JOBS + "/" + id + "/speeds").is(200).json().path("items"))
                    .hasSize(1);
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
            JsonNode prediction = prediction(id);
            assertThat(prediction.at("/points/0/origin").asString()).isEqualTo("ASSUMED");
            for (String member : List.of("/points/0/low", "/points/0/high", "/isolated", "/planned")) {
                assertThat(prediction.at(member).isNull()).as(member).isTrue();
            }
            assertThat(api.get(JOBS + "/" + id + "/explanation").is(200).at("/message"))
                    .isEqualTo("Nothing is known about the speed of family new-net. It runs on 1 %s on 1 node. "
                                    .formatted(held(id).acceleratorType())
                            + "It can grow after its first reports of steps: "
                            + "import spur.torch in its program, or state a profile.");
        }

        @Test
        void thatAreUnknownDoubleTheirSlotsWithReportsOfEachSize() {
            String id = submit(ofFamily("new-net", false));
            List<Integer> slots = new ArrayList<>();
            for (int seq = 1; seq <= 8; seq += 2) {
                round();
                slots.add(held(id).slots());
                report(id, seq, truth(held(id)));
                report(id, seq + 1, truth(held(id)));
            }

            assertThat(slots).containsExactly(1, 2, 4, 8);
        }

        @Test
        void thatAreUnknownKeepTheirSlotsWithoutReportsAndWarn() {
            String id = submit(ofFamily("new-net", false));
            round();
            api.post(
                            JOBS + "/" + id + "/progress",
                            "{\"generation\": 1, \"seq\": 1, \"samplesTotal\": 1, \"state\": \"RUNNING\"}")
                    .is(200);
            world.sql("update job set allocated_since = allocated_since - interval '4 minutes'");
            round();

            assertThat(api.get(JOBS + "/" + id).is(200).at("/warnings/0/kind")).isEqualTo("NO_STEPS");
            assertThat(held(id).slots()).isOne();
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
        void learnFromReportsOfRunningJobsWhileOthersWait() {
            String first = submit(ofFamily("net", false));
            round();
            Configuration held = held(first);
            String second = submit(ofFamily("net", false));
            assertThat(prediction(second).at("/points/0/origin").asString()).isEqualTo("ASSUMED");

            report(first, 1, truth(held));
            report(first, 2, truth(held));
            round();

            assertThat(family().acceleratorTypes(SyncStrategy.ALL_REDUCE)).containsExactly(held.acceleratorType());
            assertThat(prediction(second).path("points").findValuesAsString("origin"))
                    .contains("FAMILY")
                    .doesNotContain("ASSUMED");
        }

        @Test
        void countEachJobOnceForItsFirstWindowsAndOnceForItsMedian() {
            String first = submit(ofFamily("net", false));
            round();
            Configuration held = held(first);
            for (int report = 1; report <= 6; report++) {
                report(first, report, truth(held));
            }
            double running = family().steps().get(0).jobs();

            api.post(JOBS + "/" + first + "/cancel").is(200);

            assertThat(running).isCloseTo(1.1, within(0.01));
            assertThat(family().steps().get(0).jobs()).isCloseTo(2.1, within(0.05));
        }

        @Test
        void giveTheSamePlanToAStatelessCallerWhoStatesTheirMeasurements() throws Exception {
            String first = submit(ofFamily("net", false));
            round();
            for (int report = 1; report <= 3; report++) {
                report(first, report, truth(held(first)));
            }
            api.post(JOBS + "/" + first + "/cancel").is(200);
            List<String> next = List.of(submit(ofFamily("net", false)), submit(ofFamily("net", false)));
            round();

            ObjectNode problem = statelessInput(next);
            Map<String, Configuration> without = solved(problem);
            addMeasurements(problem);

            Map<String, Configuration> live =
                    next.stream().collect(Collectors.toMap(id -> id, LearningTest.this::held));
            assertThat(solved(problem)).isEqualTo(live);
            assertThat(without).as("without measurements").isNotEqualTo(live);
        }

        /** The input of the last round with the specifications of {@code jobs} as stated. */
        private ObjectNode statelessInput(List<String> jobs) throws Exception {
            awaitFeed();
            String number = api.get("/api/v1/plans/current").is(200).at("/round");
            ObjectNode problem = (ObjectNode)
                    api.get("/api/v1/rounds/" + number + "/snapshot").is(200).json();
            ArrayNode rows = (ArrayNode) problem.path("jobs");
            assertThat(rows.findValuesAsString("id")).containsExactlyInAnyOrderElementsOf(jobs);
            rows.forEach(row -> ((ObjectNode) row)
                    .set("spec", job(row.path("id").asString()).path("spec")));
            return problem;
        }

        private void addMeasurements(ObjectNode problem) {
            ArrayNode measurements =
                    problem.putArray("families").addObject().put("name", "net").putArray("measurements");
            family().steps()
                    .forEach(step -> measurements
                            .addObject()
                            .put("acceleratorType", step.acceleratorType())
                            .put("slots", step.shape().slots())
                            .put("batchSize", (int) step.shape().batchSize())
                            .put("stepSeconds", step.stepSeconds())
                            .put("jobs", step.jobs()));
        }

        private Map<String, Configuration> solved(ObjectNode problem) {
            RoundPlan plan = RoundJson.mapper()
                    .treeToValue(
                            api.post("/api/v1/solve", problem.toString())
                                    .is(200)
                                    .json(),
                            RoundPlan.class);
            return plan.running().stream()
                    .collect(Collectors.toMap(
                            PlannedJob::jobId, planned -> planned.allocation().configuration()));
        }

        private FamilySpeeds family() {
            return RoundJson.mapper()
                    .readValue(
                            world.value(String.class, "select speeds::text from model_family where name = 'net'"),
                            FamilySpeeds.class);
        }

        @Test
        void areTheNameOfTheJobWhereNoPointIsStated() {
            ObjectNode body = submission(Wrong.NOTHING);
            ((ObjectNode) body.path("spec")).remove("profile");

            assertThat(api.post(JOBS, body.toString()).is(201).at("/spec/family"))
                    .isEqualTo("a-job");
        }
    }
}
