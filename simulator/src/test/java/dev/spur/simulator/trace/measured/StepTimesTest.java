package dev.spur.simulator.trace.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTimesTest {
    private final StepTimes times;

    StepTimesTest() throws IOException {
        times = Toy.model().stepTimes("T4").orElseThrow();
    }

    @Test
    void aMeasuredPlacementIsReadOffInWhateverOrderItsNodesCome() {
        assertThat(times.at(List.of(2, 1), 5)).isEqualTo(new Timing(2.0, 1.0));
    }

    @Test
    void betweenMeasuredBatchSizesTimesAreStraight() {
        assertThat(times.at(List.of(2, 1), 7.5).step()).isEqualTo(2.5, within(1e-12));
        assertThat(times.at(List.of(2), 7.5).sync()).isEqualTo(0.2, within(1e-12));
    }

    @Test
    void rowsWithoutATimeAreLeftOut() {
        assertThat(times.at(List.of(2), 7).step()).isEqualTo(1.6, within(1e-12));
    }

    @Test
    void placementsBeyondTheMeasuredOnesGoByNodesAndSlots() {
        assertThat(times.at(List.of(3, 1), 5).step()).isEqualTo(1.8, within(1e-12));
    }

    @Test
    void betweenNumbersOfNodesShapesOfAsManySlotsPerNodeAreMixed() {
        // On 2 nodes 2.67 slots, between 1.6 s for 2 and 2.0 s for 3; on 4 nodes 2.4 s; halfway between.
        assertThat(times.at(List.of(2, 1, 1), 5).step()).isEqualTo((1.6 + 0.4 * 2 / 3 + 2.4) / 2, within(1e-12));
    }

    @Test
    void beyondTheLargestShapeTheLargestSpeaks() {
        assertThat(times.at(List.of(1, 1, 1, 1, 1, 1), 5).step()).isEqualTo(2.4, within(1e-12));
    }

    @Test
    void accumulatedPassesTakeAStepWithoutItsSynchronisation() {
        assertThat(new Timing(2.0, 0.5).accumulate(3)).isEqualTo(2.0 + 3 * 1.5);
    }
}
