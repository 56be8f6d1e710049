package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Configuration;
import java.util.List;
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
        @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TYPE")
        void isRightAgainWithinFiveReports(Wrong wrong) {
            String id = submit(submission(wrong));
            for (int seq = 1; seq <= 5; seq++) {
                round();
                report(id, seq, truth(held(id)));
            }
            round();

            Configuration held = held(id);
            assertThat(trueGoodput(held)).as(held.toString()).isGreaterThan(0.85 * best(wrong));
            assertThatThePlanHasTheTrueSpeed(id);
        }

        /** Reports on one type do not show whether the profile is wrong on the other type, too. */
        @Test
        void onTheTypeOfTheJobIsRightThereWithinFiveReports() {
            String id = submit(submission(Wrong.TYPE));
            for (int seq = 1; seq <= 5; seq++) {
                round();
                report(id, seq, truth(held(id)));
            }
            round();

            assertThat(held(id).acceleratorType()).isEqualTo("V100");
            assertThatThePlanHasTheTrueSpeed(id);
        }

        private void assertThatThePlanHasTheTrueSpeed(String id) {
            double speed = trueGoodput(held(id));
            double left = job(id).path("remainingSamples").doubleValue();
            assertThat(left / prediction(id).at("/planned/seconds/median").doubleValue())
                    .isCloseTo(speed, within(0.1 * speed));
        }

        @Test
        void isAnEventAndShowsInTheExplanation() {
            String id = submit(submission(Wrong.NOTHING));
            round();
            for (int seq = 1; seq <= 11; seq++) {
                report(id, seq, truth(held(id)) / 2);
            }

            assertThat(api.get(JOBS + "/" + id + "/events").is(200).json().findValuesAsString("kind"))
                    .contains("DRIFT");
            for (JsonNode job : List.of(
                    api.get(JOBS + "/" + id + "/explanation").is(200).json(),
                    api.get(JOBS + "?id=" + id).is(200).json().at("/items/0"))) {
                assertThat(job.at("/warnings/0/kind").asString()).isEqualTo("SLOWER");
                assertThat(job.at("/warnings/0/message").asString()).contains("2.00 times as long");
            }
            assertThat(prediction(id).at("/drift/factor").doubleValue()).isCloseTo(2, within(0.05));
        }

        @Test
        void isNoEventWhileItIsRight() {
            String id = submit(submission(Wrong.NOTHING));
            round();
            for (int seq = 1; seq <= 20; seq++) {
                report(id, seq, truth(held(id)) * (1 + 0.03 * (seq % 2)));
            }

            assertThat(api.get(JOBS + "/" + id + "/explanation")
                            .is(200)
                            .json()
                            .path("warnings")
                            .findValuesAsString("kind"))
                    .doesNotContain("SLOWER");
            assertThat(prediction(id).path("reports").intValue()).isEqualTo(20);
        }
    }
}
