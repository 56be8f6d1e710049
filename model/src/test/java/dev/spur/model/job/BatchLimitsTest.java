package dev.spur.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchLimitsTest {
    private static final BatchLimits NO_PASSES = new BatchLimits(64, 32, 256, 48, Map.of("V100", 16), false);
    private static final BatchLimits PASSES = new BatchLimits(64, 32, 256, 48, Map.of("V100", 16), true);

    @Test
    void memoryLimitsTheBatchUnlessItIsSplitIntoPasses() {
        assertThat(NO_PASSES.largest("A100", 1)).isEqualTo(48);
        assertThat(NO_PASSES.largest("A100", 5)).isEqualTo(240);
        assertThat(NO_PASSES.largest("A100", 6)).isEqualTo(256);
        assertThat(PASSES.largest("A100", 1)).isEqualTo(256);
    }

    @Test
    void aTypeMayHaveAMemoryOfItsOwn() {
        assertThat(NO_PASSES.largest("V100", 2)).isEqualTo(32);
        assertThat(NO_PASSES.allows(32, "V100", 1)).isFalse();
        assertThat(NO_PASSES.allows(32, "V100", 2)).isTrue();
    }

    @Test
    void aBatchIsWithinTheLimitsAndGivesEveryDeviceASample() {
        assertThat(PASSES.allows(31, "A100", 1)).isFalse();
        assertThat(PASSES.allows(32, "A100", 1)).isTrue();
        assertThat(PASSES.allows(256, "A100", 1)).isTrue();
        assertThat(PASSES.allows(257, "A100", 1)).isFalse();
        assertThat(PASSES.allows(40, "A100", 40)).isTrue();
        assertThat(PASSES.allows(40, "A100", 41)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"48, 1, 0", "49, 1, 1", "96, 2, 0", "97, 2, 1", "256, 1, 5", "256, 6, 0", "10, 20, 0"})
    void passesBeyondTheFirstAreThoseThatTheMemoryNeeds(int batch, int slots, int steps) {
        assertThat(PASSES.accumulationSteps(batch, "A100", slots)).isEqualTo(steps);
    }

    @Test
    void aFixedBatchIsTheOnlyOne() {
        BatchLimits fixed = BatchLimits.fixed(100);

        assertThat(fixed.allows(100, "any", 3)).isTrue();
        assertThat(fixed.allows(99, "any", 3)).isFalse();
        assertThat(fixed.allows(101, "any", 3)).isFalse();
    }

    @Test
    void limitsAscend() {
        assertThatThrownBy(() -> new BatchLimits(31, 32, 256, 48, Map.of(), true))
                .hasMessageContaining("initial (31)");
        assertThatThrownBy(() -> new BatchLimits(64, 32, 63, 48, Map.of(), true))
                .hasMessageContaining("max (63)");
        assertThatThrownBy(() -> new BatchLimits(64, 32, 64, 48, Map.of("A100", 0), true))
                .hasMessageContaining("maxPerDeviceByType.A100 (0)");
    }

    @Test
    void largeLimitsDoNotOverflow() {
        BatchLimits huge = new BatchLimits(1, 1, Integer.MAX_VALUE, Integer.MAX_VALUE, Map.of(), false);

        assertThat(huge.largest("A100", 1000)).isEqualTo(Integer.MAX_VALUE);
        assertThat(huge.accumulationSteps(Integer.MAX_VALUE, "A100", 7)).isZero();
    }
}
