package dev.spur.simulator.report.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class AxisTest {
    @Test
    void linearMarksAreRoundAndCoverTheStretch() {
        Axis axis = Axis.linear("hours", 0, 23);

        assertThat(axis.marks()).containsExactly(0, 5, 10, 15, 20);
        assertThat(axis.at(11.5)).isCloseTo(0.5, within(1e-12));
        assertThat(axis.label(20)).isEqualTo("20");
        assertThat(Axis.linear("gap", 0, 0.004).label(0.0015)).isEqualTo("0.0015");
    }

    @Test
    void valuesOutsideLieAtTheEnds() {
        Axis axis = Axis.duration("time", 1, 100);

        assertThat(axis.at(0)).isZero();
        assertThat(axis.at(10)).isCloseTo(0.5, within(1e-12));
        assertThat(axis.at(1e9)).isEqualTo(1);
    }

    @Test
    void durationsAreMarkedInTheirOwnUnits() {
        Axis axis = Axis.duration("time", 0.001, 100_000);

        assertThat(axis.marks()).hasSize(10);
        assertThat(axis.label(0.01)).isEqualTo("10 ms");
        assertThat(axis.label(600)).isEqualTo("10 min");
        assertThat(axis.label(36_000)).isEqualTo("10 h");
        assertThat(axis.label(86_400)).isEqualTo("1 d");
    }

    @Test
    void aStretchWithoutLengthIsDrawnAllTheSame() {
        assertThat(Axis.linear("jobs", 0, 0).at(0)).isZero();
        assertThat(Axis.logarithmic("fairness", 2, 2).at(2)).isZero();
    }
}
