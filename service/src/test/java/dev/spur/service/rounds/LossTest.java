package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs whose work ends at a training loss. */
class LossTest extends LearningTestBase {
    /** Effective samples after which the loss of {@link #loss} is 0.5. */
    private static final double REACHED = 1_000_000;

    private String job = "";
    private int seq;

    /** Falls to 0.5 after a million samples, and never below 0.2. */
    private static double loss(double samples) {
        return 0.2 + 1 / (0.5 + samples * (1 / 0.3 - 0.5) / REACHED);
    }

    @BeforeEach
    void submitAJobWithATarget() {
        job = withTarget(0.5);
        round();
    }

    private String withTarget(double target) {
        ObjectNode body = submission(Wrong.NOTHING);
        ((ObjectNode) body.at("/spec/work")).put("targetLoss", target);
        ((ObjectNode) body.at("/spec")).putObject("efficiency");
        return submit(body);
    }

    private JsonNode tell(String id, double samples, double loss) {
        return api.post(
                        JOBS + "/" + id + "/progress",
                        String.format(
                                Locale.ROOT, """
                        {"generation": %d, "seq": %d, "samplesTotal": %f, "state": "RUNNING", "loss": %f}
                        """, job(id).path("generation").longValue(), ++seq, samples, loss))
                .is(200)
                .json();
    }

    private void tellUpTo(double samples) {
        for (int i = 1; i <= 20; i++) {
            tell(job, samples * i / 20, loss(samples * i / 20));
        }
    }

    @Nested
    class BeforeItIsReached {
        @Test
        void theCurvePredictsTheWork() {
            tellUpTo(300_000);

            assertThat(job(job).path("remainingSamples").doubleValue()).isCloseTo(700_000, within(20_000.0));
            assertThat(job(job).path("totalSamples").doubleValue()).isEqualTo(5e6);
            JsonNode outlook = prediction(job).path("loss");
            assertThat(outlook.path("expectedSamples").doubleValue()).isCloseTo(REACHED, within(20_000.0));
            assertThat(outlook.path("present").doubleValue()).isCloseTo(loss(270_000), within(1e-6));
        }

        @Test
        void roundsPlanWithTheWorkThatIsLeft() {
            tellUpTo(300_000);
            round();

            JsonNode problem = api.get("/api/v1/rounds?limit=1").is(200).json();
            JsonNode planned = api.get(
                            "/api/v1/rounds/" + problem.at("/items/0/number").asString() + "/snapshot")
                    .is(200)
                    .json()
                    .at("/jobs/0");
            assertThat(planned.path("remainingSamples").doubleValue()).isCloseTo(700_000, within(20_000.0));
            assertThat(planned.at("/spec/work/amount").doubleValue()).isCloseTo(REACHED, within(20_000.0));
        }

        @Test
        void theStatedAmountCountsWhileLittleIsKnown() {
            tell(job, 1000, loss(1000));

            assertThat(job(job).path("remainingSamples").doubleValue()).isEqualTo(5e6 - 1000);
        }

        @Test
        void theStatedAmountCountsWhereTheLossWillNeverBeSo() {
            job = withTarget(0.1);
            round();
            tellUpTo(300_000);

            assertThat(job(job).path("remainingSamples").doubleValue()).isEqualTo(4.7e6);
            assertThat(prediction(job).at("/loss/expectedSamples").isNull()).isTrue();
        }
    }

    @Nested
    class WhenItIsReached {
        @Test
        void theJobIsToStop() {
            tellUpTo(300_000);
            for (int i = 0; i < 2; i++) {
                assertThat(tell(job, 310_000, 0.49).path("directive").asString())
                        .isEqualTo("CONTINUE");
            }

            assertThat(tell(job, 310_000, 0.49).path("directive").asString()).isEqualTo("CHECKPOINT_AND_STOP");
            assertThat(job(job).path("state").asString()).isEqualTo("COMPLETING");
        }

        @Test
        void itStaysSo() {
            tellUpTo(300_000);
            for (int i = 0; i < 3; i++) {
                tell(job, 310_000, 0.49);
            }
            for (int i = 0; i < 5; i++) {
                tell(job, 320_000, 0.9);
            }

            assertThat(job(job).path("state").asString()).isEqualTo("COMPLETING");
            assertThat(job(job).path("remainingSamples").doubleValue()).isZero();
        }
    }

    @Test
    void lossesOfAJobWithoutATargetAreShownAndChangeNothing() {
        String other = submit(submission(Wrong.NOTHING));
        round();
        for (int i = 1; i <= 6; i++) {
            tell(other, i * 1000, 0.01);
        }

        assertThat(job(other).path("state").asString()).isEqualTo("RUNNING");
        assertThat(prediction(other).at("/loss/present").doubleValue()).isEqualTo(0.01);
        assertThat(prediction(other).at("/loss/target").isNull()).isTrue();
    }
}
