package dev.spur.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepTimeFitTest {
    /** Without growth and overlap, hence without penalties: the fit has nothing to trade off. */
    private static final StepTimeModel PLAIN = new StepTimeModel(0.08, 0.004, 0.3, 1e-8, 0.06, 1e-8, 1);

    private static final StepTimeModel TRUE = new StepTimeModel(0.08, 0.004, 0.3, 0.02, 0.06, 0.005, 2.2);

    @Nested
    class EverythingSeen {

        @Test
        void aPlainModelIsRecovered() {
            StepTimeModel fitted = StepTimeFit.of(everywhere(PLAIN));

            assertThat(fitted.alphaC()).isEqualTo(PLAIN.alphaC(), within(1e-4));
            assertThat(fitted.betaC()).isEqualTo(PLAIN.betaC(), within(1e-6));
            assertThat(fitted.alphaN()).isEqualTo(PLAIN.alphaN(), within(1e-3));
            assertThat(fitted.alphaR()).isEqualTo(PLAIN.alphaR(), within(1e-3));
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
        void predictionsAreRecoveredWhateverTheModel(long seed) {
            StepTimeModel model = random(seed);

            StepTimeModel fitted = StepTimeFit.of(everywhere(model));

            // The penalties bend the fit a little even where a perfect one exists.
            assertThat(StepTimeLoss.of(fitted, everywhere(model)))
                    .as("seed %s", seed)
                    .isLessThanOrEqualTo(StepTimeLoss.of(model, everywhere(model)) + 1e-9);
            assertThat(fitted.stepSeconds(3, 12, 48, 0) / model.stepSeconds(3, 12, 48, 0))
                    .as("seed %s", seed)
                    .isBetween(0.93, 1.07);
        }

        @Test
        void theSameObservationsGiveTheSameModel() {
            assertThat(StepTimeFit.of(everywhere(TRUE))).isEqualTo(StepTimeFit.of(everywhere(TRUE)));
        }
    }

    @Nested
    class WhatWasNotSeenLooksCheap {

        @Test
        void oneSlotAloneMakesSynchronisationFree() {
            StepTimeModel fitted = StepTimeFit.of(List.of(seen(TRUE, 1, 1, 32), seen(TRUE, 1, 1, 64)));

            assertThat(fitted.throughput(2, 16, 32, 0) / fitted.throughput(1, 1, 32, 0))
                    .isEqualTo(16, within(1e-3));
        }

        @Test
        void oneNodeAloneMakesTheNetworkATenthSlowerThanTheNode() {
            StepTimeModel fitted =
                    StepTimeFit.of(List.of(seen(TRUE, 1, 1, 32), seen(TRUE, 1, 2, 64), seen(TRUE, 1, 4, 64)));

            assertThat(fitted.alphaN()).isEqualTo(1.1 * fitted.alphaR(), within(1e-12));
            assertThat(fitted.betaN()).isEqualTo(1.1 * fitted.betaR(), within(1e-12));
        }

        @Test
        void twoSlotsAtMostSayNothingOfGrowth() {
            StepTimeModel fitted =
                    StepTimeFit.of(List.of(seen(TRUE, 1, 1, 32), seen(TRUE, 1, 2, 64), seen(TRUE, 2, 2, 64)));

            assertThat(fitted.syncSeconds(1, 8)).isEqualTo(fitted.syncSeconds(1, 2), within(1e-6));
            assertThat(fitted.syncSeconds(2, 8)).isEqualTo(fitted.syncSeconds(2, 2), within(1e-6));
        }

        @Test
        void oneBatchSizeMakesHalfOfAPassConstant() {
            StepTimeModel fitted = StepTimeFit.of(List.of(seen(TRUE, 1, 1, 32)));

            assertThat(fitted.alphaC()).isEqualTo(TRUE.gradientSeconds(32) / 2, within(1e-12));
            assertThat(fitted.gradientSeconds(32)).isEqualTo(TRUE.gradientSeconds(32), within(1e-6));
        }
    }

    @Test
    void aFitOfNothingIsRefused() {
        assertThatThrownBy(() -> StepTimeFit.of(List.of())).hasMessageContaining("at least one observation");
    }

    private static List<StepTimeObservation> everywhere(StepTimeModel model) {
        List<StepTimeObservation> seen = new ArrayList<>();
        for (int batch : new int[] {8, 16, 32, 64, 128}) {
            seen.add(seen(model, 1, 1, batch));
            seen.add(seen(model, 1, 2, batch));
            seen.add(seen(model, 1, 4, batch));
            seen.add(seen(model, 2, 2, batch));
            seen.add(seen(model, 2, 8, batch));
            seen.add(seen(model, 4, 16, batch));
        }
        return seen;
    }

    private static StepTimeObservation seen(StepTimeModel model, int nodes, int slots, int batch) {
        return new StepTimeObservation(
                nodes, slots, batch, model.gradientSeconds(batch), model.stepSeconds(nodes, slots, batch, 0));
    }

    private static StepTimeModel random(long seed) {
        Random random = new Random(seed);
        double pass = 0.02 + random.nextDouble() * 0.2;
        double node = pass * random.nextDouble();
        double network = node + 2 * pass * random.nextDouble();
        return new StepTimeModel(
                pass,
                pass * (0.005 + 0.05 * random.nextDouble()),
                network,
                network * 0.1 * random.nextDouble(),
                node,
                node * 0.1 * random.nextDouble(),
                1 + 4 * random.nextDouble());
    }
}
