package dev.spur.service.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.service.rounds.RoundProperties;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class RoundLogTest {
    private static final RoundProperties PROPERTIES = new RoundProperties(
            true,
            Duration.ofSeconds(8),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            0.01,
            200,
            10000,
            1000);

    @ParameterizedTest
    @CsvSource({"ABANDONED, INFO", "FENCED, INFO", "FAILED, ERROR"})
    void onlyAFailureIsAnError(RoundStatus status, String level, CapturedOutput output) {
        var outcome = new RoundOutcome(status, null, null, List.of(), "the cause", null, null, List.of());

        new RoundLog(PROPERTIES).onEnd(new RoundReport(7, "schedule", null, outcome));

        assertThat(output.getAll())
                .contains(level)
                .contains("round 7 " + status.name().toLowerCase(Locale.ROOT), "error=\"the cause\"");
        assertThat(output.getAll().contains("ERROR")).isEqualTo(level.equals("ERROR"));
    }
}
