package dev.spur.benchmarks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultTest {
    private static final double SECONDS = 3600;

    private static List<Fault> draw(long seed) {
        return Fault.draw(seed, SECONDS, 10, EnumSet.allOf(FaultKind.class));
    }

    @Test
    void aSeedGivesTheSameFaults() {
        assertThat(draw(1)).isEqualTo(draw(1)).isNotEqualTo(draw(2)).hasSizeGreaterThan(100);
    }

    @Test
    void allKindsOccurAndAllAreHealedByTheEnd() {
        assertThat(draw(1).stream().map(Fault::kind).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(FaultKind.values());
        assertThat(draw(1)).allMatch(fault -> fault.end() <= SECONDS);
    }

    @Test
    void aComponentHasOneFaultAtATime() {
        List<Fault> faults = draw(1);
        for (Fault fault : faults) {
            assertThat(faults)
                    .filteredOn(other -> !other.equals(fault)
                            && other.kind().target == fault.kind().target
                            && other.target() == fault.target())
                    .noneMatch(other -> other.at() < fault.end() && fault.at() < other.end());
        }
    }
}
