package dev.spur.service.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.family.FamilySpeeds;
import dev.spur.service.contract.ProblemType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
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
