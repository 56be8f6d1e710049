package dev.spur.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
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
        assertThat(PASSES.allows(252, "A100", 1)).isTrue();
        assertThat(PASSES.allows(257, "A100", 1)).isFalse();
        assertThat(PASSES.allows(255, "A100", 2)).isFalse();
        assertThat(PASSES.allows(40, "A100", 40)).isTrue();
        assertThat(PASSES.allows(40, "A100", 41)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"48, 1, 0", "49, 1, 1", "96, 2, 0", "97, 2, 1", "256, 1, 5", "256, 6, 0", "10, 20, 0"})
    void passesBeyondTheFirstAreThoseThatTheMemoryNeeds(int batch, int slots, int steps) {
        assertThat(PASSES.accumulationSteps(batch, "A100", slots)).isEqualTo(steps);
    }

    @Test
    void aFixedBatchIsTheOnlyOneAndRunsOnCountsThatDivideIt() {
        BatchLimits fixed = BatchLimits.ofBatch(100);

        assertThat(fixed.allows(100, "any", 5)).isTrue();
        assertThat(fixed.allows(95, "any", 5)).isFalse();
        assertThat(fixed.allows(105, "any", 5)).isFalse();
        assertThat(fixed.allows(100, "any", 3)).isFalse();
        assertThat(fixed.fits("any", 3)).isFalse();
    }

    @Test
    void aRoundedBatchIsTheNextThatTheDevicesShareEqually() {
        BatchLimits rounded = BatchLimits.roundedUp(100, 8);

        assertThat(rounded.atLeast(100, "any", 1)).hasValue(100);
        assertThat(rounded.atLeast(100, "any", 3)).hasValue(102);
        assertThat(rounded.atLeast(100, "any", 7)).hasValue(105);
        assertThat(rounded.allows(108, "any", 3)).isFalse();
    }

    @Test
    void thePerDeviceBatchIsAMultipleOfTheStatedNumber() {
        BatchLimits eights = new BatchLimits(64, 32, 256, 48, Map.of(), false, 8);

        assertThat(eights.allows(72, "A100", 3)).isTrue();
        assertThat(eights.allows(84, "A100", 3)).isFalse();
        assertThat(eights.atMost(95, "A100", 3)).hasValue(72);
        assertThat(eights.atLeast(73, "A100", 3)).hasValue(96);
        assertThat(new BatchLimits(64, 32, 256, 7, Map.of(), true, 8).fits("A100", 1))
                .as("8 samples do not fit a device of 7")
                .isFalse();
    }

    @Test
    void onlyTheInitialBatchTakesMorePassesThanMemoryRequires() {
        BatchLimits limits = new BatchLimits(64, 32, 256, 24, Map.of(), true);

        assertThat(limits.passes(64, "A100", 1))
                .as("3 passes do not divide 64, 4 passes of 16 do")
                .hasValue(4);
        assertThat(limits.passes(63, "A100", 1)).hasValue(3);
        assertThat(limits.passes(62, "A100", 1)).isEmpty();
    }

    @Test
    void theNeighborsOfABatchAreTheNearestThatTakeTheFewestPasses() {
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            int min = 1 + random.nextInt(40);
            int initial = min + random.nextInt(40);
            BatchLimits limits = new BatchLimits(
                    initial,
                    min,
                    initial + random.nextInt(200),
                    1 + random.nextInt(50),
                    Map.of(),
                    random.nextBoolean(),
                    1 + random.nextInt(4));
            int slots = 1 + random.nextInt(9);
            int batch = 1 + random.nextInt(300);

            assertThat(limits.atMost(batch, "A", slots))
                    .as("seed %d", seed)
                    .isEqualTo(IntStream.rangeClosed(1, batch)
                            .filter(b -> takesFewestPasses(limits, b, slots))
                            .max());
            assertThat(limits.atLeast(batch, "A", slots))
                    .as("seed %d", seed)
                    .isEqualTo(IntStream.rangeClosed(batch, limits.max())
                            .filter(b -> takesFewestPasses(limits, b, slots))
                            .min());
        }
    }

    private static boolean takesFewestPasses(BatchLimits limits, int batch, int slots) {
        int memory = limits.maxPerDevice() / limits.multipleOf() * limits.multipleOf() * slots;
        if (batch < limits.min() || batch > limits.max() || memory == 0) {
            return false;
        }
        int passes = (batch + memory - 1) / memory;
        return (passes == 1 || limits.accumulation()) && batch % (slots * passes * limits.multipleOf()) == 0;
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
