package dev.spur.simulator.eta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class UncertaintyTest {
    @Test
    void withoutAnyJobThePriorHolds() {
        Uncertainty learned = Uncertainty.ofStretches(List.of());

        assertThat(learned.median()).isEqualTo(Uncertainty.PRIOR.median());
        assertThat(learned.spread()).isCloseTo(Uncertainty.PRIOR.spread(), within(1e-12));
    }

    @Test
    void manyJobsThatTakeTwiceAsLongOutweighThePrior() {
        Uncertainty learned = Uncertainty.ofStretches(Collections.nCopies(1000, 2.0));

        assertThat(learned.median()).isCloseTo(2, within(0.02));
        assertThat(learned.spread()).isLessThan(0.1);
    }

    @Test
    void oneAbsurdJobDoesNotCarryAllAway() {
        Uncertainty learned = Uncertainty.ofStretches(List.of(1e12));

        assertThat(learned.median()).isLessThan(1.5);
    }

    @Test
    void whatIsDrawnHasTheMedianAndTheSpread() {
        SplittableRandom random = new SplittableRandom(7);
        Uncertainty uncertainty = new Uncertainty(2, 0.5);

        double[] drawn = DoubleStream.generate(() -> uncertainty.draw(random))
                .limit(20_000)
                .sorted()
                .toArray();

        assertThat(drawn[10_000]).isCloseTo(2, within(0.05));
        assertThat(Math.log(drawn[16_827] / drawn[10_000])).isCloseTo(0.5, within(0.05));
    }

    @Test
    void quantilesAreThoseOfTheLogNormalDistribution() {
        Uncertainty uncertainty = new Uncertainty(2, 0.5);

        assertThat(uncertainty.quantile(0.5)).isEqualTo(2);
        assertThat(uncertainty.quantile(0.9)).isCloseTo(2 * Math.exp(0.5 * 1.2816), within(0.05));
    }
}
