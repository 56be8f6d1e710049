package dev.spur.simulator.eta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BiasCorrectedTimesTest {
    private static final double NOW = 1e9;
    private static final double HOUR = 3600;
    private static final double UNTIL = NOW + 10 * HOUR;
    private static final double LATER = Double.POSITIVE_INFINITY;
    private static final double[] FROM_NOW_ON = {NOW, NOW, NOW};

    private static BiasCorrectedTimes times(double median, double spread) {
        var bend = new BiasCorrection.HorizonCorrection(new Uncertainty(median, spread), 2 * spread, 1);
        return new BiasCorrectedTimes(new BiasCorrection(Collections.nCopies(4, bend)), NOW, UNTIL);
    }

    @Nested
    class TheBand {
        @Test
        void ofOneSampleIsThatOfTheDrift() {
            EtaInterval interval = times(1, 0.5).band(new double[] {NOW + HOUR}, FROM_NOW_ON);

            assertThat(interval.median()).isCloseTo(NOW + HOUR, within(1.0));
            assertThat(Math.log((interval.high() - NOW + 60) / (HOUR + 60))).isCloseTo(0.5 * 1.2816, within(0.06));
            assertThat(Math.log((interval.low() - NOW + 60) / (HOUR + 60))).isCloseTo(-0.5 * 1.2816, within(0.06));
        }

        @Test
        void ofSamplesFarApartHoldsThemAll() {
            EtaInterval interval =
                    times(1, 0.05).band(new double[] {NOW + 4 * HOUR, NOW + HOUR, NOW + 2 * HOUR}, FROM_NOW_ON);

            assertThat(interval.low()).isBetween(NOW + 0.9 * HOUR, NOW + 1.1 * HOUR);
            assertThat(interval.high()).isBetween(NOW + 3.6 * HOUR, NOW + 4.4 * HOUR);
        }

        @Test
        void knowsThatWhatNoReplaySawMayComeSooner() {
            EtaInterval sooner = times(0.5, 0.2).band(new double[] {LATER, LATER, LATER}, FROM_NOW_ON);

            assertThat(sooner.low()).isBetween(NOW + 2.5 * HOUR, NOW + 3.5 * HOUR);
            assertThat(sooner.median()).isNull();
            assertThat(sooner.high()).isNull();
            assertThat(times(2, 0.1)
                            .band(new double[] {LATER, LATER, LATER}, FROM_NOW_ON)
                            .low())
                    .isNull();
        }

        @Test
        void doesNotBeginBeforeWhatIsAwaited() {
            double[] ready = {NOW + HOUR, NOW + HOUR, NOW + HOUR};
            double[] same = {NOW + HOUR, NOW + HOUR, NOW + HOUR};

            assertThat(times(1, 0.5).band(same, ready).low()).isEqualTo(NOW + HOUR);
        }
    }

    @Nested
    class TheSamplesAlone {
        @Test
        void sayHowFarApartTheyAreHoweverFarAhead() {
            SimulatedEta.Replayed replayed =
                    times(3, 1).replayedTimes(new double[] {NOW + HOUR, NOW + 4 * HOUR, NOW + 2 * HOUR});

            assertThat(replayed.ahead()).isCloseTo(2 * HOUR, within(1.0));
            assertThat(Math.sqrt(replayed.variance())).isCloseTo(Math.log(2), within(0.02));
        }

        @Test
        void sayNothingWhereMostLieBeyondWhatWasReplayed() {
            assertThat(times(1, 1).replayedTimes(new double[] {LATER, NOW + HOUR, LATER}))
                    .isNull();
        }
    }
}
