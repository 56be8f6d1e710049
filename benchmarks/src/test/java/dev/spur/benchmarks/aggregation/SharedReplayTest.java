package dev.spur.benchmarks.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.benchmarks.aggregation.SharedReplay.Outcome;
import dev.spur.solver.aggregation.SharingLimits;
import dev.spur.solver.aggregation.SharingLimits.Delay;
import org.junit.jupiter.api.Test;

class SharedReplayTest {
    private static Outcome run(double loss) {
        return new SharedReplay(60, 120, 3600, 0.2).run(new SharingLimits(0.9, loss, loss, Delay.EXPECTED), 1);
    }

    @Test
    void whoMayLoseMoreNeedsFewerSlotsButNeverFewerThanTheLoad() {
        Outcome nothing = run(0);
        Outcome some = run(0.05);
        Outcome much = run(0.5);

        assertThat(nothing.used()).isLessThanOrEqualTo(nothing.own());
        assertThat(some.used()).isLessThan(nothing.used());
        assertThat(much.used()).isLessThan(some.used()).isGreaterThanOrEqualTo(much.lowerBound());
        assertThat(much.overloadedPercent()).isZero();
    }

    @Test
    void noJobLosesMoreThanAllowed() {
        Outcome some = run(0.05);

        assertThat(run(0).worstLoss()).isZero();
        assertThat(some.worstLoss()).isPositive().isLessThanOrEqualTo(0.05);
        assertThat(some.loss()).isPositive().isLessThanOrEqualTo(some.worstLoss());
        assertThat(some.movesPerHour()).isPositive();
    }
}
