package dev.spur.simulator.dataprep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.simulator.dataprep.MemoryReplay.Outcome;
import org.junit.jupiter.api.Test;

/** Short replays on six nodes. */
class MemoryReplayTest {
    private static Outcome run(LendingPolicy lending, boolean uneven) {
        return MemoryReplay.run(new MemoryWorkload(6, 128, 0.4, uneven, 0.7, 2 * 3600), lending, 1);
    }

    @Test
    void aReplayIsTheSameEachTime() {
        assertThat(run(LendingPolicy.TWO_CHOICES, true)).isEqualTo(run(LendingPolicy.TWO_CHOICES, true));
        assertThat(run(LendingPolicy.PLAN, true)).isEqualTo(run(LendingPolicy.PLAN, true));
    }

    @Test
    void noPlanLeavesALenderBelowItsHeadroom() {
        assertThat(run(LendingPolicy.PLAN, true).belowHeadroom()).isZero();
        assertThat(run(LendingPolicy.PLAN, false).belowHeadroom()).isZero();
        assertThat(run(LendingPolicy.TWO_CHOICES, true).belowHeadroom())
                .as("the metric distinguishes the policies")
                .isPositive();
    }

    @Test
    void aPlanDoesMoreThanTwoChoicesAndIsSlowedDownLess() {
        Outcome planned = run(LendingPolicy.PLAN, false);
        Outcome chosen = run(LendingPolicy.TWO_CHOICES, false);

        assertThat(planned.workHours()).isGreaterThan(chosen.workHours());
        assertThat(planned.meanSlowDown()).isLessThan(chosen.meanSlowDown());
    }

    @Test
    void lendingUsesMemoryThatIsIdleWithoutIt() {
        assertThat(run(LendingPolicy.PLAN, false).utilization())
                .isGreaterThan(run(LendingPolicy.NONE, false).utilization());
        assertThat(run(LendingPolicy.NONE, false).revokedGiBPerHour()).isZero();
    }

    @Test
    void suddenDemandsAreServedBeforeTheNextRound() {
        assertThat(run(LendingPolicy.PLAN, false).revokedGiBPerHour()).isPositive();
    }
}
