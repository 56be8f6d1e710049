package dev.spur.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.TopologyLevel;
import dev.spur.model.job.TopologyRequest.Policy;
import dev.spur.model.json.RoundJson;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopologyRequestTest {
    private static final TopologyRequest RACK = new TopologyRequest(TopologyLevel.RACK, Policy.PREFER, 0.8);
    private static final TopologyRequest BLOCK = new TopologyRequest(TopologyLevel.BLOCK, Policy.PREFER, null);

    private static Node node(String id, @Nullable String rack, @Nullable String block) {
        return new Node(id, "main", rack, "A", List.of("d"), 1, 1, 0, 0, NodeState.ACTIVE)
                .withLabels(block == null ? Map.of() : Map.of("block", block));
    }

    @Test
    void boundariesCountFromTheStatedLevelUpwards() {
        Node one = node("n1", "r1", "b1");

        assertThat(RACK.crossings(List.of(one, node("n2", "r1", "b1")))).isZero();
        assertThat(RACK.crossings(List.of(one, node("n2", "r2", "b1")))).isEqualTo(1);
        assertThat(RACK.crossings(List.of(one, node("n2", "r1", "b2")))).isEqualTo(2);
        assertThat(BLOCK.crossings(List.of(one, node("n2", "r2", "b1")))).isZero();
        assertThat(BLOCK.crossings(List.of(one, node("n2", "r1", "b2")))).isEqualTo(1);
    }

    @Test
    void aNodeWithoutTheStatedDomainIsInNone() {
        assertThat(RACK.contains(List.of(node("n1", null, "b1")))).isTrue();
        assertThat(RACK.crossings(List.of(node("n1", null, "b1"), node("n2", null, "b1"))))
                .isEqualTo(1);
        assertThat(BLOCK.crossings(List.of(node("n1", "r1", null), node("n2", "r1", null))))
                .isEqualTo(1);
    }

    @Test
    void racksWithoutBlocksAreInOneBlock() {
        assertThat(RACK.crossings(List.of(node("n1", "r1", null), node("n2", "r2", null))))
                .isEqualTo(1);
    }

    @Test
    void theFactorAppliesToEachBoundary() {
        assertThat(RACK.speed(0)).isEqualTo(1);
        assertThat(RACK.speed(2)).isEqualTo(0.64, Offset.offset(1e-12));
        assertThat(BLOCK.speed(1)).isEqualTo(TopologyRequest.DEFAULT_FACTOR);
    }

    @Test
    void aFactorBelongsToAPreference() {
        assertThatThrownBy(() -> new TopologyRequest(TopologyLevel.RACK, Policy.REQUIRE, 0.9))
                .hasMessage("topology.crossingFactor (0.9) applies only with policy PREFER");
        assertThatThrownBy(() -> new TopologyRequest(TopologyLevel.RACK, Policy.PREFER, 1.0))
                .hasMessage("topology.crossingFactor (1.0) must be above 0 and below 1");
    }

    @Test
    void levelsAreWrittenAsInTheContract() {
        String text = RoundJson.mapper().writeValueAsString(BLOCK);

        assertThat(text).isEqualTo("{\"level\":\"block\",\"policy\":\"PREFER\"}");
        assertThat(RoundJson.mapper().readValue(text, TopologyRequest.class)).isEqualTo(BLOCK);
    }
}
