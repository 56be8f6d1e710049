package dev.spur.model.job;

import static dev.spur.model.NodeFixture.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.cluster.Node;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostDemandTest {
    private static Node of(int slots, double cpus, double memory) {
        return node("n", slots).cpus(cpus).memory(memory).build();
    }

    @Nested
    class SlotsOnANode {
        @ParameterizedTest(name = "{0} CPUs and {1} GiB per slot")
        @CsvSource({"0, 0, 8", "1, 0, 8", "2, 0, 5", "2, 30, 3", "0, 101, 0", "1.25, 12.5, 8", "1.2500001, 0, 7"})
        void areThoseForWhichItsHostSuffices(double cpus, double memory, int slots) {
            assertThat(new HostDemand(cpus, memory).slotsOn(of(8, 10, 100))).isEqualTo(slots);
        }

        /** 4.8 / 1.6 is less than 3 in floating point. */
        @Test
        void includeOneThatNeedsExactlyWhatIsLeft() {
            assertThat(new HostDemand(1.6, 0).slotsOn(of(8, 4.8, 0))).isEqualTo(3);
        }
    }
}
