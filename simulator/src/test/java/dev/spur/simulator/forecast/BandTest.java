package dev.spur.simulator.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class BandTest {
    private static final double LATER = Double.POSITIVE_INFINITY;

    @Test
    void nineteenSamplesGiveTheSecondTheTenthAndTheEighteenth() {
        Band band = Band.of(DoubleStream.iterate(19, n -> n - 1).limit(19).toArray());

        assertThat(band.low()).isCloseTo(2, within(1e-9));
        assertThat(band.median()).isEqualTo(10);
        assertThat(band.high()).isCloseTo(18, within(1e-9));
    }

    @Test
    void whatLiesBeyondTheReplayIsNotInvented() {
        Band band = Band.of(1, 2, 3, 4, 5, 6, 7, LATER, LATER);

        assertThat(band.low()).isEqualTo(1);
        assertThat(band.median()).isEqualTo(5);
        assertThat(band.high()).isNull();
        assertThat(Band.of(LATER, LATER, 3).median()).isNull();
    }

    @Test
    void threeSamplesAreNeededForEightyPercent() {
        assertThat(Band.coverage(3)).isEqualTo(0.8);
        assertThat(Band.coverage(19)).isEqualTo(0.8);
        assertThat(Band.coverage(2)).isLessThan(0.5);
        assertThat(Band.coverage(1)).isZero();
    }

    @Test
    void oneSampleIsAllThereIs() {
        assertThat(Band.of(7)).isEqualTo(new Band(7.0, 7.0, 7.0));
    }
}
