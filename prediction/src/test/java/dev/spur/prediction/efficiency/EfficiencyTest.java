package dev.spur.prediction.efficiency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.performance.StatisticalEfficiency;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EfficiencyTest {
    @Nested
    class Noise {

        @Test
        void followsFromVarianceAndNormOfGradients() {
            assertThat(NoiseScale.of(128, 6, 2)).isEqualTo(384);
        }

        @Test
        void isNotBentByOneWildReport() {
            NoiseScale calm = NoiseScale.UNKNOWN.and(100).and(100).and(100).and(100);

            assertThat(calm.and(1e9).samples()).isLessThan(170);
        }

        @Test
        void followsATrainingWhoseNoiseGrows() {
            NoiseScale noise = NoiseScale.UNKNOWN.and(100);
            for (int report = 0; report < 30; report++) {
                noise = noise.and(300);
            }

            assertThat(noise.samples()).isEqualTo(300, within(10.0));
        }

        @Test
        void givesWayToWhatIsStatedUntilItIsReported() {
            StatisticalEfficiency stated = StatisticalEfficiency.ofNoiseScale(7);

            assertThat(NoiseScale.UNKNOWN.efficiency(stated)).isEqualTo(stated);
            assertThat(NoiseScale.UNKNOWN.and(50).efficiency(stated).noiseScale())
                    .isEqualTo(50);
        }
    }

    @Nested
    class Loss {
        private static final LossCurve TRUE = new LossCurve(0.2, 0.5, 0.3);

        @Test
        void ofAnExactCurveIsRecovered() {
            LossCurve fitted = LossCurve.fit(points(12)).orElseThrow();

            assertThat(fitted.at(40)).isEqualTo(TRUE.at(40), within(1e-3));
            assertThat(fitted.gamma()).isEqualTo(0.3, within(1e-2));
        }

        @Test
        void isNotFittedToTooFewPointsOrToARise() {
            assertThat(LossCurve.fit(points(2))).isEmpty();
            assertThat(LossCurve.fit(List.of(new LossPoint(0, 1), new LossPoint(1, 2), new LossPoint(2, 3))))
                    .isEmpty();
        }

        @Test
        void returnsTheEpochsToATarget() {
            assertThat(TRUE.workTo(TRUE.at(17)).orElseThrow()).isEqualTo(17, within(1e-9));
            assertThat(TRUE.workTo(0.3)).isEmpty();
        }

        @Test
        void standsStillWhereItFallsByLessThanAskedFor() {
            double epochs = TRUE.workToStandstill(0.05, 10);

            assertThat(TRUE.at(epochs) - TRUE.at(epochs + 10)).isEqualTo(0.05, within(1e-9));
        }

        private static List<LossPoint> points(int count) {
            return IntStream.range(0, count)
                    .mapToObj(epoch -> new LossPoint(epoch, TRUE.at(epoch)))
                    .toList();
        }
    }
}
