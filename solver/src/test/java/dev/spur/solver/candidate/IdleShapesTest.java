package dev.spur.solver.candidate;

import static dev.spur.model.NodeFixture.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdleShapesTest {
    private static final List<Node> NODES = List.of(
            node("a", 2).cpus(100).build(),
            node("b", 8).cpus(10).build(),
            node("c", 4).cpus(100).build());

    private static List<Integer> largest(HostDemand demand, Integer maxNodes) {
        return IdleShapes.largest(NODES, demand, maxNodes, false);
    }

    @Test
    void largestGangHasAllSlotsForWhichHostsSuffice() {
        assertThat(largest(HostDemand.NONE, null)).containsExactly(8, 4, 2);
        assertThat(largest(new HostDemand(3, 0), null)).containsExactly(4, 3, 2);
    }

    @Test
    void largestGangIsOnTheNodesWithTheMostOfThem() {
        assertThat(largest(HostDemand.NONE, 2)).containsExactly(8, 4);
        assertThat(largest(new HostDemand(5, 0), 1)).containsExactly(4);
        assertThat(IdleShapes.largest(List.of(), HostDemand.NONE, 1, false)).isEmpty();
    }

    @Test
    void wholeNodesAreOfOneSize() {
        List<Node> four = List.of(
                node("a", 4).build(),
                node("b", 4).build(),
                node("c", 4).build(),
                node("d", 8).build());

        assertThat(IdleShapes.largest(four, HostDemand.NONE, null, true)).containsExactly(4, 4, 4);
        assertThat(IdleShapes.largest(four, HostDemand.NONE, 2, true)).containsExactly(8);
    }
}
