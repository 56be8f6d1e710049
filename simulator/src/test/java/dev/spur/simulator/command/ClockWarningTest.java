package dev.spur.simulator.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.SolveBudget;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.report.Summary;
import org.junit.jupiter.api.Test;

class ClockWarningTest {
    private static final ReplaySettings TEN_SECONDS = ReplaySettings.DEFAULT.withPlanning(
            ReplaySettings.DEFAULT.settings().withEffort(0, new SolveBudget(1, 10, 1, 1)));

    /** Its longest decision took so long. */
    private static Summary row(double seconds) {
        return new Summary("spur", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, seconds, null, null, null, null);
    }

    @Test
    void warnsOfADecisionThatTookMoreThanHalfOfTheTime() {
        assertThat(ClockWarning.of(row(5.1), TEN_SECONDS))
                .contains(
                        "spur: the longest decision took 5.1 s, and the clock allows 10 s: it may have cut some, so that"
                                + " another run may differ.");
    }

    @Test
    void isSilentWhereTheClockWasFar() {
        assertThat(ClockWarning.of(row(5), TEN_SECONDS)).isEmpty();
    }

    @Test
    void decisionsOfAReplayEndByWorkLongBeforeTheClock() {
        SolveBudget budget = ReplaySettings.DEFAULT.settings().budget();

        assertThat(budget.wallSeconds()).isGreaterThan(100 * budget.work());
    }
}
