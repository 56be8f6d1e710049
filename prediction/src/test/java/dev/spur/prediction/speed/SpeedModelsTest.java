package dev.spur.prediction.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.prediction.StepTimeModel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpeedModelsTest {
    private static final StepTimeModel TRUE = new StepTimeModel(0.08, 0.004, 0.3, 0.02, 0.06, 0.005, 2.2);

    @Test
    void eightStepsOfAJobForetellOthersToAFewPercent() {
        PosteriorModel fittedModel =
                SpeedModels.fit(seen(1, 1, 64, 2, 1, 32, 2, 2, 64, 4, 1, 64, 8, 2, 32, 8, 2, 128, 16, 4, 64, 1, 1, 16));

        assertThat(fittedModel.stepSeconds(StepShape.allReduce(8, 4, 64)))
                .isCloseTo(truth(8, 4, 64), within(0.1 * truth(8, 4, 64)));
        assertThat(fittedModel.stepSeconds(StepShape.allReduce(4, 1, 128)))
                .isCloseTo(truth(4, 1, 128), within(0.1 * truth(4, 1, 128)));
    }

    @Test
    void theSameStepsGiveTheSameModel() {
        List<StepObservation> seen = seen(1, 1, 64, 4, 1, 64, 8, 2, 32);

        assertThat(SpeedModels.fit(seen).stepSeconds(StepShape.allReduce(16, 2, 64)))
                .isEqualTo(SpeedModels.fit(seen).stepSeconds(StepShape.allReduce(16, 2, 64)));
    }

    @Test
    void severalSlotsAreNeverFasterThanSoManySingleOnes() {
        PosteriorModel fittedModel = SpeedModels.fit(seen(1, 1, 64, 2, 1, 64));

        for (int slots : new int[] {2, 4, 8, 64}) {
            assertThat(fittedModel.throughput(StepShape.allReduce(slots, 1, 64)))
                    .isLessThanOrEqualTo(slots * fittedModel.throughput(StepShape.allReduce(1, 1, 64)) * (1 + 1e-12));
        }
    }

    @Test
    void theBandIsWiderWhereNothingWasMeasured() {
        PosteriorModel fittedModel = SpeedModels.fit(seen(1, 1, 64, 2, 1, 64, 4, 1, 64));

        assertThat(fittedModel.spread(StepShape.allReduce(32, 4, 64)))
                .isGreaterThan(2 * fittedModel.spread(StepShape.allReduce(4, 1, 64)));
    }

    @Test
    void stepsOfTwoStrategiesAreRefused() {
        List<StepObservation> mixed = List.of(
                StepObservation.of(StepShape.allReduce(1, 1, 8), 1),
                StepObservation.of(new StepShape(1, 1, 8, 0, 1), 1));

        assertThatThrownBy(() -> SpeedModels.fit(mixed)).hasMessageContaining("strategy");
        assertThatThrownBy(() -> SpeedModels.fit(List.of())).hasMessageContaining("at least one observation");
    }

    private static double truth(int slots, int nodes, int batch) {
        return TRUE.stepSeconds(nodes, slots, batch, 0);
    }

    /** Steps by slots, nodes and batch of a slot, in threes. */
    private static List<StepObservation> seen(int... all) {
        List<StepObservation> seen = new ArrayList<>();
        for (int i = 0; i + 2 < all.length; i += 3) {
            seen.add(StepObservation.of(
                    StepShape.allReduce(all[i], all[i + 1], all[i + 2]), truth(all[i], all[i + 1], all[i + 2])));
        }
        return seen;
    }
}
