package dev.spur.model.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShapesTest {
    @Test
    void theFewestPiecesFillWholeNodes() {
        assertThat(Shapes.consolidate(3, 4)).containsExactly(3);
        assertThat(Shapes.consolidate(4, 4)).containsExactly(4);
        assertThat(Shapes.consolidate(10, 4)).containsExactly(4, 4, 2);
    }

    @Test
    void evenPiecesDifferByAtMostOneSlot() {
        for (int slots = 1; slots <= 20; slots++) {
            for (int nodes = 1; nodes <= slots; nodes++) {
                List<Integer> shape = Shapes.even(slots, nodes);

                assertThat(shape).hasSize(nodes).isSortedAccordingTo(Collections.reverseOrder());
                assertThat(shape.stream().mapToInt(Integer::intValue).sum()).isEqualTo(slots);
                assertThat(shape.get(0) - shape.get(nodes - 1)).isBetween(0, 1);
            }
        }
    }
}
