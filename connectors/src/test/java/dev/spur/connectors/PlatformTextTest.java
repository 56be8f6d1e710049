package dev.spur.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages of platforms. */
class PlatformTextTest {
    private static final String FORGED = "no\u202Eon\u0007\nINFO all is well\u2028\u200B";

    @Test
    void isOneLineWithoutControlAndDirectionCharacters() {
        assertThat(PlatformText.clean(FORGED)).isEqualTo("no\uFFFDon\uFFFD INFO all is well \uFFFD");
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
        List<Outcome> outcomes = List.of(
                new Outcome.Asked(Step.HOLDING, Duration.ZERO, FORGED),
                new Outcome.Unchanged(FORGED),
                new Outcome.Refused(FORGED),
                new Outcome.Unanswered(FORGED));

        assertThat(outcomes).extracting(Outcome::detail).containsOnly(PlatformText.clean(FORGED));
    }
}
