package dev.spur.simulator.eta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class EtaIntervalTest {
    private static final double LATER = Double.POSITIVE_INFINITY;

    @Test
    void nineteenSamplesGiveTheSecondTheTenthAndTheEighteenth() {
        EtaInterval interval =
                EtaInterval.of(DoubleStream.iterate(19, n -> n - 1).limit(19).toArray());

        assertThat(interval.low()).isCloseTo(2, within(1e-9));
        assertThat(interval.median()).isEqualTo(10);
        assertThat(interval.high()).isCloseTo(18, within(1e-9));
    }

    @Test
    void whatLiesBeyondTheReplayIsNotInvented() {
        EtaInterval interval = EtaInterval.of(1, 2, 3, 4, 5, 6, 7, LATER, LATER);

        assertThat(interval.low()).isEqualTo(1);
        assertThat(interval.median()).isEqualTo(5);
        assertThat(interval.high()).isNull();
        assertThat(EtaInterval.of(LATER, LATER, 3).median()).isNull();
    }

    @Test
    void threeSamplesAreNeededForEightyPercent() {
        assertThat(EtaInterval.coverage(3)).isEqualTo(0.8);
        assertThat(EtaInterval.coverage(19)).isEqualTo(0.8);
        assertThat(EtaInterval.coverage(2)).isLessThan(0.5);
        assertThat(EtaInterval.coverage(1)).isZero();
    }

    @Test
    void oneSampleIsAllThereIs() {
        assertThat(EtaInterval.of(7)).isEqualTo(new EtaInterval(7.0, 7.0, 7.0));
    }
}
