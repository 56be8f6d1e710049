package dev.spur.benchmarks.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.benchmarks.models.StepMeasurements.Source;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterpolationErrorTest {
    private static StepObservation step(int slots, int batch, double seconds) {
        return StepObservation.of(StepShape.allReduce(slots, 1, batch), seconds);
    }

    @Test
    void aStepIsHeldAgainstTheLineBetweenItsNeighboursOnTheSameSlots() {
        StepMeasurements measured = new StepMeasurements(
                Source.PLACEMENTS,
                "net",
                "A",
                List.of(step(1, 32, 4), step(1, 8, 1), step(1, 16, 4), step(2, 8, 9), step(2, 16, 9)));

        assertThat(InterpolationError.errors(measured)).hasSize(1);
        assertThat(InterpolationError.errors(measured).get(0)).isEqualTo(0.5, within(1e-12));
    }
}
