package dev.spur.prediction.speed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThinningTest {
    @Test
    void fewObservationsAreAllKept() {
        List<StepObservation> seen = slots(1, 2, 4);

        assertThat(Thinning.of(seen, 3)).isEqualTo(seen);
    }

    @Test
    void theFewestSlotsAndTheMostDifferentShapesAreKept() {
        assertThat(Thinning.of(slots(64, 63, 62, 1, 8), 3))
                .extracting(seen -> seen.shape().slots())
                .containsExactly(64, 1, 8);
    }

    private static List<StepObservation> slots(int... counts) {
        List<StepObservation> seen = new ArrayList<>();
        for (int count : counts) {
            seen.add(StepObservation.of(StepShape.allReduce(count, 1, 32), 1));
        }
        return seen;
    }
}
