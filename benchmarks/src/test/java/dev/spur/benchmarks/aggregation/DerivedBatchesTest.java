package dev.spur.benchmarks.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.benchmarks.models.StepMeasurements;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class DerivedBatchesTest {
    private static final double BATCH = 64;

    /** Steps with the given times, measured with up to 8 workers and the same number of servers at one batch size. */
    private static StepMeasurements measured(ToDoubleFunction<StepShape> seconds) {
        List<StepObservation> steps = new ArrayList<>();
        for (int workers = 1; workers <= 8; workers++) {
            for (int servers = 1; servers <= 8; servers++) {
                StepShape shape = new StepShape(workers, workers, BATCH / workers, 0, servers);
                steps.add(StepObservation.of(shape, seconds.applyAsDouble(shape)));
            }
        }
        return new StepMeasurements(StepMeasurements.Source.PARAMETER_SERVER, "net", "GPU", steps);
    }

    private static double optimus(StepShape shape) {
        return 0.01 * shape.perSlotBatch()
                + 0.05
                + 0.1 * shape.slots() / shape.aggregationSlots()
                + 0.002 * shape.slots();
    }

    private static List<StepObservation> derived(StepMeasurements model, double... multiples) {
        List<Double> requested = new ArrayList<>();
        for (double multiple : multiples) {
            requested.add(multiple);
        }
        List<StepObservation> all = DerivedBatches.of(model, requested).steps();
        assertThat(all.subList(0, model.steps().size())).isEqualTo(model.steps());
        return all.subList(model.steps().size(), all.size());
    }

    @Test
    void stepsOfTheFormulaAreFoundAgain() {
        List<StepObservation> derived = derived(measured(DerivedBatchesTest::optimus), 1, 2, 4);

        assertThat(derived)
                .isNotEmpty()
                .allSatisfy(step -> assertThat(step.stepSeconds())
                        .isCloseTo(optimus(step.shape()), within(0.03 * optimus(step.shape()))));
    }

    @Test
    void noDeviceTakesMoreThanItTookOrLessThanASample() {
        assertThat(derived(measured(DerivedBatchesTest::optimus), 4))
                .extracting(step -> step.shape().slots())
                .containsOnly(4, 5, 6, 7, 8);
        assertThat(derived(measured(DerivedBatchesTest::optimus), 1 / 16.0))
                .extracting(step -> step.shape().slots())
                .containsOnly(1, 2, 3, 4);
    }

    @Test
    void moreSamplesTakeNoLessTimeAndNoMoreThanInProportion() {
        StepMeasurements model = measured(shape -> optimus(shape) * (shape.slots() % 2 == 0 ? 3 : 0.3));

        for (StepObservation step : derived(model, 2)) {
            double measured = model.steps().stream()
                    .filter(other -> other.shape().slots() == step.shape().slots()
                            && other.shape().aggregationSlots() == step.shape().aggregationSlots())
                    .findFirst()
                    .orElseThrow()
                    .stepSeconds();
            assertThat(step.stepSeconds()).isBetween(measured, 2 * measured);
        }
    }

    @Test
    void aMultipleIsAboveZero() {
        assertThatThrownBy(() -> derived(measured(DerivedBatchesTest::optimus), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
