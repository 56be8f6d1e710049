package dev.spur.model.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostSensitivityTest {
    private static HostSensitivity of(HostLevel... levels) {
        return new HostSensitivity(List.of(levels));
    }

    @Test
    void itKnowsTheSpeedOfItsLevelsAndOfNothingElse() {
        HostSensitivity sensitivity = of(new HostLevel(1, 8, 0.37), new HostLevel(3, 8, 1), new HostLevel(9, 8, 2.4));

        assertThat(sensitivity.speed(1, 8)).isEqualTo(0.37);
        assertThat(sensitivity.speed(9, 8)).isEqualTo(2.4);
        assertThat(sensitivity.speed(2, 8)).isZero();
        assertThat(sensitivity.speed(9, 16)).isZero();
        assertThat(sensitivity.maxSpeed()).isEqualTo(2.4);
    }

    @Test
    void moreOfBothIsNeverSlower() {
        assertThatThrownBy(() -> of(new HostLevel(1, 8, 1), new HostLevel(3, 8, 0.9)))
                .hasMessageContaining("is slower than");
        assertThatThrownBy(() -> of(new HostLevel(3, 8, 1), new HostLevel(3, 9, 0.9)))
                .hasMessageContaining("is slower than");
        assertThat(of(new HostLevel(1, 8, 1), new HostLevel(3, 8, 1)).levels()).hasSize(2);
        assertThat(of(new HostLevel(1, 9, 1), new HostLevel(3, 8, 0.5)).levels())
                .as("less of one may cost more than more of the other brings")
                .hasSize(2);
    }

    @Test
    void noTwoLevelsAreTheSameHost() {
        assertThatThrownBy(() -> of(new HostLevel(3, 8, 1), new HostLevel(3, 8, 1.5)))
                .hasMessageContaining("have the same CPUs and memory");
        assertThatThrownBy(() -> of(new HostLevel(3, 8, 1), new HostLevel(3, 8, 1)))
                .hasMessageContaining("must be unique");
    }

    @Test
    void thereAreAsManyLevelsAsItSays() {
        List<HostLevel> max = IntStream.rangeClosed(1, HostSensitivity.MAX_LEVELS + 1)
                .mapToObj(cpus -> new HostLevel(cpus, 8, cpus))
                .toList();

        assertThat(new HostSensitivity(max.subList(1, max.size())).levels()).hasSize(64);
        assertThatThrownBy(() -> new HostSensitivity(max)).hasMessageContaining("levels (65)");
        assertThatThrownBy(() -> new HostSensitivity(List.of())).hasMessageContaining("levels (0)");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void speedsAreFiniteAndAboveZero(double speed) {
        assertThatThrownBy(() -> new HostLevel(3, 8, speed)).hasMessageContaining("speed (");
    }

    @Test
    void hostsAreFiniteAndNotBelowZero() {
        assertThatThrownBy(() -> new HostLevel(-1, 8, 1)).hasMessageContaining("cpusPerSlot (-1.0)");
        assertThatThrownBy(() -> new HostLevel(1, Double.NaN, 1)).hasMessageContaining("memoryGiBPerSlot (NaN)");
    }
}
