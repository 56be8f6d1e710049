package dev.spur.model.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StatisticalEfficiencyTest {
    @Test
    void everySampleCountsTheSameWhereNothingIsKnown() {
        assertThat(StatisticalEfficiency.UNKNOWN.at(1, 64)).isEqualTo(1);
        assertThat(StatisticalEfficiency.UNKNOWN.at(4096, 64)).isEqualTo(1);
    }

    @Nested
    class ByNoiseScale {
        private final StatisticalEfficiency known = StatisticalEfficiency.ofNoiseScale(300);

        @Test
        void itFallsWithTheBatch() {
            assertThat(known.at(100, 100)).isEqualTo(1);
            assertThat(known.at(200, 100)).isEqualTo(400.0 / 500);
            assertThat(known.at(500, 100)).isEqualTo(400.0 / 800);
        }

        @Test
        void itIsOneBelowTheInitialBatch() {
            assertThat(known.at(50, 100)).isEqualTo(1);
        }

        @Test
        void withoutNoiseOnlyTheNumberOfStepsCounts() {
            StatisticalEfficiency noiseless = StatisticalEfficiency.ofNoiseScale(0);

            assertThat(noiseless.at(100, 100)).isEqualTo(1);
            assertThat(noiseless.at(400, 100)).isEqualTo(0.25);
        }

        @Test
        void itGoesBeforeATable() {
            StatisticalEfficiency both = new StatisticalEfficiency(300.0, List.of(new EfficiencyPoint(200, 0.1)));

            assertThat(both.at(200, 100)).isEqualTo(0.8);
        }

        @Test
        void itIsNotBelowZero() {
            assertThatThrownBy(() -> StatisticalEfficiency.ofNoiseScale(-1)).hasMessageContaining("noiseScale (-1.0)");
        }
    }

    @Nested
    class ByTable {
        private final StatisticalEfficiency known = new StatisticalEfficiency(
                null,
                List.of(new EfficiencyPoint(400, 0.5), new EfficiencyPoint(100, 1), new EfficiencyPoint(200, 0.8)));

        @Test
        void theEntriesAreMet() {
            assertThat(known.at(100, 100)).isEqualTo(1);
            assertThat(known.at(200, 100)).isEqualTo(0.8);
            assertThat(known.at(400, 100)).isEqualTo(0.5);
        }

        @Test
        void betweenTwoEntriesSamplesPerProgressRunStraight() {
            assertThat(known.at(150, 100)).isCloseTo(1 / ((1 + 1.25) / 2), within(1e-12));
            assertThat(known.at(250, 100)).isCloseTo(1 / (1.25 + 0.25 * (2 - 1.25)), within(1e-12));
        }

        @Test
        void beyondTheEndsItStaysLevel() {
            assertThat(known.at(10, 100)).isEqualTo(1);
            assertThat(known.at(4000, 100)).isEqualTo(0.5);
        }

        @Test
        void noBatchStandsTwice() {
            assertThatThrownBy(() -> new StatisticalEfficiency(
                            null, List.of(new EfficiencyPoint(100, 1), new EfficiencyPoint(100, 0.9))))
                    .hasMessageContaining("batchSize 100 appears twice");
        }

        @Test
        void anEfficiencyIsAboveZeroAndAtMostOne() {
            assertThatThrownBy(() -> new EfficiencyPoint(100, 0)).hasMessageContaining("efficiency (0.0)");
            assertThatThrownBy(() -> new EfficiencyPoint(100, 1.01)).hasMessageContaining("efficiency (1.01)");
            assertThatThrownBy(() -> new EfficiencyPoint(100, Double.NaN)).hasMessageContaining("efficiency (NaN)");
        }
    }
}
