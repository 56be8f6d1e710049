package dev.spur.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.performance.StatisticalEfficiency;
import org.junit.jupiter.api.Test;

class BatchChoiceTest {
    private static final StepTimeModel MODEL = new StepTimeModel(0.1, 0.001, 0.3, 0.02, 0.05, 0.01, 1);
    private static final StatisticalEfficiency NOISY = StatisticalEfficiency.ofNoiseScale(1e9);

    @Test
    void whereEverySampleCountsTheLargestBatchIsBest() {
        BatchChoice choice = best(NOISY, new BatchRange(32, 400, 8, 100, false), 4);

        assertThat(choice.perDeviceBatch()).isEqualTo(100);
        assertThat(choice.goodput()).isEqualTo(400 / 0.27, within(0.001));
    }

    @Test
    void whereLargeBatchesAreWorthlessTheInitialOneIsKept() {
        BatchChoice choice = best(StatisticalEfficiency.ofNoiseScale(0), new BatchRange(32, 400, 8, 100, false), 4);

        assertThat(choice.perDeviceBatch()).isEqualTo(8);
    }

    @Test
    void aBatchBeyondTheDeviceIsSplitWherePassesMayAccumulate() {
        BatchChoice choice = best(NOISY, new BatchRange(32, 800, 8, 100, true), 4);

        assertThat(choice.accumulationSteps()).isEqualTo(1);
        assertThat(choice.perDeviceBatch()).isEqualTo(100);
    }

    @Test
    void aSingleSlotAccumulatesAsSoonAsItsBatchGrows() {
        BatchChoice choice = best(NOISY, new BatchRange(32, 100, 8, 100, true), 1);

        assertThat(choice.accumulationSteps()).isEqualTo(1);
        assertThat(choice.perDeviceBatch()).isEqualTo(50);
    }

    @Test
    void aSingleSlotThatMayNotAccumulateKeepsTheInitialBatch() {
        assertThat(best(NOISY, new BatchRange(32, 100, 8, 100, false), 1).perDeviceBatch())
                .isEqualTo(32);
    }

    @Test
    void tooManySlotsForTheLargestBatchHaveNoChoice() {
        assertThat(BatchChoice.best(MODEL, NOISY, new BatchRange(32, 100, 8, 100, true), 2, 13))
                .isEmpty();
    }

    private static BatchChoice best(StatisticalEfficiency efficiency, BatchRange range, int slots) {
        return BatchChoice.best(MODEL, efficiency, range, 1, slots).orElseThrow();
    }
}
