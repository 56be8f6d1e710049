package dev.spur.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of platforms. */
class PlatformTextTest {
    private static final String FORGED = "no\u202Eon\u0007\nINFO all is well\u2028\u200B";

    @Test
    void isOneLineWithoutControlAndDirectionCharacters() {
        assertThat(PlatformText.clean(FORGED)).isEqualTo("no\uFFFDon\uFFFD INFO all is well \uFFFD");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u034f",
                "\u115f",
                "\u1160",
                "\u17b4",
                "\u180b",
                "\u2800",
                "\u3164",
                "\ufe0f",
                "\uffa0",
                "\udb40\udd00"
            })
    void hasNoInvisibleCharacters(String character) {
        assertThat(PlatformText.clean("a" + character + "b")).isEqualTo("a\uFFFDb");
    }

    @Test
    void keepsLettersOfAllScripts() {
        assertThat(PlatformText.clean("Größe 名前 שם 😀")).isEqualTo("Größe 名前 שם 😀");
    }

    @Test
    void isCutAfterTheGreatestLength() {
        assertThat(PlatformText.clean("😀".repeat(501))).isEqualTo("😀".repeat(500) + "…");
        assertThat(PlatformText.clean("😀".repeat(500))).isEqualTo("😀".repeat(500));
    }

    @Test
    void everyOutcomeHasACleanText() {
        List<StepOutcome> outcomes = List.of(
                new StepOutcome.Accepted(Step.HOLDING, Duration.ZERO, FORGED),
                new StepOutcome.Unchanged(FORGED),
                new StepOutcome.Rejected(FORGED),
                new StepOutcome.NoResponse(FORGED));

        assertThat(outcomes).extracting(StepOutcome::detail).containsOnly(PlatformText.clean(FORGED));
    }
}
