package dev.spur.service.startup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.rounds.RoundProperties;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Durations have a unit and are not negative. */
class DurationSettingsTest {
    private final ApplicationContextRunner service = new ApplicationContextRunner().withUserConfiguration(Rounds.class);

    @Configuration
    @EnableConfigurationProperties(RoundProperties.class)
    @Import(DurationSettings.class)
    static class Rounds {}

    @ParameterizedTest
    @CsvSource({"8s, 8", "PT8S, 8", "2m, 120"})
    void areReadWithTheirUnit(String text, long seconds) {
        service.withPropertyValues("spur.rounds.lease=" + text)
                .run(started -> assertThat(
                                started.getBean(RoundProperties.class).lease())
                        .isEqualTo(Duration.ofSeconds(seconds)));
    }

    @ParameterizedTest
    @CsvSource({
        "8, 'a duration needs a unit, such as 8s'",
        "-8s, a duration must not be negative",
        "8 parsecs, '''8 parsecs'' is not a valid duration'",
        "2s, spur.rounds.lease (PT2S) must be longer than spur.rounds.renew-interval (PT2S)"
    })
    void endTheStartIfTheyAreWrong(String text, String reason) {
        service.withPropertyValues("spur.rounds.lease=" + text)
                .run(started -> assertThat(started).getFailure().rootCause().hasMessage(reason));
    }

    @Test
    void mayBeZeroWithoutAUnit() {
        service.withPropertyValues("spur.rounds.grace=0")
                .run(started -> assertThat(
                                started.getBean(RoundProperties.class).grace())
                        .isZero());
    }
}
