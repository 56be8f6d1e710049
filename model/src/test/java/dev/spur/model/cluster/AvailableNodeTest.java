package dev.spur.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AvailableNodeTest {
    private static final List<AvailableNode> OPEN = List.of(
            new AvailableNode("a", 8, true),
            new AvailableNode("b", 4, false),
            new AvailableNode("c", 8, false),
            new AvailableNode("d", 2, false));

    @Test
    void takesTheSmallestSufficientNodesAndNodesWithNonPreemptibleJobsLast() {
        assertThat(AvailableNode.smallestSet(OPEN, 2)).containsExactly("d");
        assertThat(AvailableNode.smallestSet(OPEN, 9)).containsExactly("c", "d");
        assertThat(AvailableNode.smallestSet(OPEN, 15)).containsExactly("c", "b", "d", "a");
    }

    @Test
    void takesAllNodesIfTheirSlotsDoNotSuffice() {
        assertThat(AvailableNode.smallestSet(OPEN, 23)).containsExactly("c", "b", "d", "a");
        assertThat(AvailableNode.smallestSet(List.of(), 1)).isEmpty();
    }
}
