package dev.spur.service.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Configuration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** A profile that is wrong heals itself, and a change is noticed. */
class WrongProfileTest extends LearningTestBase {
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
}
