package dev.spur.prediction.efficiency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LossHistoryTest {
    private static final LossCurve TRUE = new LossCurve(2e-5, 0.4, 0.2);

    private static LossHistory after(int reports, double samplesEach, double noise) {
        Random random = new Random(5);
        LossHistory history = LossHistory.NOTHING;
        for (int i = 1; i <= reports; i++) {
            history = history.and(i * samplesEach, TRUE.at(i * samplesEach) * (1 + noise * random.nextGaussian()));
        }
        return history;
    }

    @Nested
    class ItsSize {
        @Test
        void isBoundedAndAllReportsCountAlike() {
            LossHistory history = after(1000, 1000, 0);

            assertThat(history.points()).hasSizeBetween(LossHistory.MAX_POINTS / 2, LossHistory.MAX_POINTS);
            assertThat(history.each()).isEqualTo(16);
            // the mean of the reports 1 to 16
            assertThat(history.points().get(0).work()).isEqualTo(8500, within(1e-6));
            assertThat(history.points().get(1).work()).isEqualTo(24500, within(1e-6));
        }
    }

    @Nested
    class ATarget {
        @Test
        void isPredictedFromAThirdOfTheWayWithNoise() {
            double target = TRUE.at(300_000);

            assertThat(after(200, 500, 0.03).workTo(target).orElseThrow()).isEqualTo(300_000, within(60_000.0));
        }

        @Test
        void thatIsNeverReachedIsNotPredicted() {
            assertThat(after(200, 500, 0).workTo(0.1)).isEmpty();
        }

        @Test
        void isNotPredictedFromAFewReports() {
            assertThat(after(7, 500, 0).workTo(0.5)).isEmpty();
        }

        @Test
        void isNotReachedByOneLuckyBatch() {
            LossHistory history = after(20, 500, 0).and(10_500, 0.01);

            assertThat(history.hasReached(0.5)).isFalse();
        }

        @Test
        void isReachedOnceMostOfTheLatestLossesAre() {
            LossHistory history = after(20, 500, 0).and(10_500, 0.5).and(11_000, 0.5);
            assertThat(history.hasReached(0.5)).isFalse();

            assertThat(history.and(11_500, 0.49).hasReached(0.5)).isTrue();
        }
    }

    @Nested
    class AReturnToACheckpoint {
        @Test
        void forgetsWhatWasBeyondIt() {
            LossHistory history = after(20, 500, 0).and(5_000, 1.5);

            assertThat(history.points()).hasSize(11);
            assertThat(history.latest()).containsExactly(1.5);
        }
    }
}
