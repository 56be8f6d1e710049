package dev.spur.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StepTimeModelTest {
    private static final StepTimeModel MODEL = new StepTimeModel(0.1, 0.01, 0.3, 0.02, 0.05, 0.01, 1);

    @Test
    void aSingleSlotNeedsNoSynchronisation() {
        assertThat(MODEL.syncSeconds(1, 1)).isZero();
        assertThat(MODEL.stepSeconds(1, 1, 20, 0)).isEqualTo(0.3, within(1e-12));
    }

    @Test
    void synchronisationWithinANodeAndAcrossNodesDiffer() {
        assertThat(MODEL.syncSeconds(1, 4)).isEqualTo(0.07, within(1e-12));
        assertThat(MODEL.syncSeconds(2, 4)).isEqualTo(0.34, within(1e-12));
    }

    @Test
    void withoutOverlapAStepIsTheSum() {
        assertThat(MODEL.stepSeconds(1, 4, 20, 0)).isEqualTo(0.37, within(1e-12));
    }

    @Test
    void withAllOverlapAStepIsNearlyTheLongerPart() {
        StepTimeModel overlapping = new StepTimeModel(0.1, 0.01, 0.3, 0.02, 0.05, 0.01, 10);

        assertThat(overlapping.stepSeconds(1, 4, 20, 0)).isBetween(0.3, 0.301);
    }

    @Test
    void accumulatedPassesDoNotSynchronise() {
        assertThat(MODEL.stepSeconds(1, 4, 20, 2)).isEqualTo(0.97, within(1e-12));
        assertThat(MODEL.throughput(1, 4, 20, 2)).isEqualTo(240 / 0.97, within(1e-9));
    }

    @Test
    void overlapOutsideItsBoundsIsRefused() {
        assertThatThrownBy(() -> new StepTimeModel(0.1, 0.01, 0, 0, 0, 0, 10.1)).hasMessageContaining("gamma (10.1)");
        assertThatThrownBy(() -> new StepTimeModel(0.1, 0.01, 0, 0, 0, 0, 0.9)).hasMessageContaining("gamma (0.9)");
    }
}
