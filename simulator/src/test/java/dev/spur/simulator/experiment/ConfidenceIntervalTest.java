package dev.spur.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ConfidenceIntervalTest {
    @Test
    void isTheMeanWithStudentsHalfWidth() {
        // 3 and 5 about 4: standard error 1, and the 97.5 % quantile of one degree of freedom is 12.706
        ConfidenceInterval interval = ConfidenceInterval.of(new double[] {3, 5});

        assertThat(interval.mean()).isEqualTo(4);
        assertThat(interval.half()).isCloseTo(12.706, within(1e-3));
    }

    @Test
    void isAsWideAsTablesSayForTenValues() {
        double[] values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

        // standard deviation 3.02765, quantile of nine degrees of freedom 2.2622
        assertThat(ConfidenceInterval.of(values).half()).isCloseTo(2.2622 * 3.02765 / Math.sqrt(10), within(1e-3));
    }

    @Test
    void hasNoWidthIfAllValuesAreEqualAndNoLimitForASingleOne() {
        assertThat(ConfidenceInterval.of(new double[] {7, 7, 7})).isEqualTo(new ConfidenceInterval(7, 0));
        assertThat(ConfidenceInterval.of(new double[] {7}))
                .isEqualTo(new ConfidenceInterval(7, Double.POSITIVE_INFINITY));
    }
}
