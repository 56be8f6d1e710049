package dev.spur.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OpenNodeTest {
    private static final List<OpenNode> OPEN = List.of(
            new OpenNode("a", 8, true),
            new OpenNode("b", 4, false),
            new OpenNode("c", 8, false),
            new OpenNode("d", 2, false));

    @Test
    void theFewestNodesAreTheSmallestThatWillDoAndThoseWithProtectedJobsLast() {
        assertThat(OpenNode.fewest(OPEN, 2)).containsExactly("d");
        assertThat(OpenNode.fewest(OPEN, 9)).containsExactly("c", "d");
        assertThat(OpenNode.fewest(OPEN, 15)).containsExactly("c", "b", "d", "a");
    }

    @Test
    void allAreTakenIfTheyHaveNotSoMany() {
        assertThat(OpenNode.fewest(OPEN, 23)).containsExactly("c", "b", "d", "a");
        assertThat(OpenNode.fewest(List.of(), 1)).isEmpty();
    }
}
