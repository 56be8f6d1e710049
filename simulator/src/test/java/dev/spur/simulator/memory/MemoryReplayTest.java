package dev.spur.simulator.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.simulator.memory.MemoryReplay.Outcome;
import org.junit.jupiter.api.Test;

/** Short replays on six nodes. */
class MemoryReplayTest {
    private static Outcome run(Lending lending, boolean uneven) {
        return MemoryReplay.run(new MemoryWorkload(6, 128, 0.4, uneven, 0.7, 2 * 3600), lending, 1);
    }

    @Test
    void aReplayIsTheSameEachTime() {
        assertThat(run(Lending.TWO_CHOICES, true)).isEqualTo(run(Lending.TWO_CHOICES, true));
        assertThat(run(Lending.PLAN, true)).isEqualTo(run(Lending.PLAN, true));
    }

    @Test
    void noPlanLeavesALenderBelowItsHeadroom() {
        assertThat(run(Lending.PLAN, true).belowHeadroom()).isZero();
        assertThat(run(Lending.PLAN, false).belowHeadroom()).isZero();
        assertThat(run(Lending.TWO_CHOICES, true).belowHeadroom())
                .as("the measure tells the difference")
                .isPositive();
    }

    @Test
    void aPlanDoesMoreThanTwoChoicesAndIsSlowedDownLess() {
        Outcome planned = run(Lending.PLAN, false);
        Outcome chosen = run(Lending.TWO_CHOICES, false);

        assertThat(planned.workHours()).isGreaterThan(chosen.workHours());
        assertThat(planned.meanSlowDown()).isLessThan(chosen.meanSlowDown());
    }

    @Test
    void lendingUsesMemoryThatIsIdleWithoutIt() {
        assertThat(run(Lending.PLAN, false).utilisation())
                .isGreaterThan(run(Lending.NONE, false).utilisation());
        assertThat(run(Lending.NONE, false).revokedGiBPerHour()).isZero();
    }

    @Test
    void suddenDemandsAreServedBeforeTheNextRound() {
        assertThat(run(Lending.PLAN, false).revokedGiBPerHour()).isPositive();
    }
}
