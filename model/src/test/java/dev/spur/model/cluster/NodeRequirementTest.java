package dev.spur.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.cluster.NodeRequirement.Operator;
import dev.spur.model.job.Elasticity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeRequirementTest {
    private static final Node NODE = new Node("n1", "main", "r1", "A100", List.of("d"), 1, 1, 0, 0, NodeState.ACTIVE)
            .withLabels(Map.of("zone", "a", "age", "7", "name", "x"));

    private static boolean admits(String label, Operator operator, String... values) {
        return new NodeRequirement(label, operator, List.of(values)).admits(NODE);
    }

    @Test
    void comparesTheValueOfALabel() {
        assertThat(admits("zone", Operator.IN, "b", "a")).isTrue();
        assertThat(admits("zone", Operator.IN, "b")).isFalse();
        assertThat(admits("zone", Operator.NOT_IN, "b")).isTrue();
        assertThat(admits("zone", Operator.NOT_IN, "b", "a")).isFalse();
        assertThat(admits("zone", Operator.EXISTS)).isTrue();
        assertThat(admits("zone", Operator.DOES_NOT_EXIST)).isFalse();
        assertThat(admits("age", Operator.GREATER_THAN, "6")).isTrue();
        assertThat(admits("age", Operator.GREATER_THAN, "7")).isFalse();
        assertThat(admits("age", Operator.LESS_THAN, "8")).isTrue();
        assertThat(admits("age", Operator.LESS_THAN, "7")).isFalse();
    }

    @Test
    void aNodeWithoutTheLabelMeetsNegativeRequirementsOnly() {
        assertThat(admits("none", Operator.IN, "a")).isFalse();
        assertThat(admits("none", Operator.NOT_IN, "a")).isTrue();
        assertThat(admits("none", Operator.EXISTS)).isFalse();
        assertThat(admits("none", Operator.DOES_NOT_EXIST)).isTrue();
        assertThat(admits("none", Operator.GREATER_THAN, "0")).isFalse();
        assertThat(admits("none", Operator.LESS_THAN, "0")).isFalse();
    }

    @Test
    void aValueThatIsNoIntegerIsNeitherAboveNorBelowOne() {
        assertThat(admits("name", Operator.GREATER_THAN, "0")).isFalse();
        assertThat(admits("name", Operator.LESS_THAN, "0")).isFalse();
    }

    @Test
    void nodePoolAndRackAreLabels() {
        assertThat(admits("spur/node", Operator.IN, "n1")).isTrue();
        assertThat(admits("spur/pool", Operator.NOT_IN, "main")).isFalse();
        assertThat(admits("spur/rack", Operator.IN, "r1")).isTrue();
        assertThat(admits("spur/block", Operator.EXISTS)).isFalse();
        assertThatThrownBy(() -> NODE.withLabels(Map.of("spur/node", "n2")))
                .hasMessage("label spur/node must not begin with spur/, the prefix of Spur");
    }

    @Test
    void eachOperatorNamesTheValuesThatItTakes() {
        assertThatThrownBy(() -> admits("zone", Operator.IN)).hasMessage("values ([]) must contain a value with IN");
        assertThatThrownBy(() -> admits("zone", Operator.EXISTS, "a"))
                .hasMessage("values ([a]) must be empty with EXISTS");
        assertThatThrownBy(() -> admits("age", Operator.LESS_THAN, "1", "2"))
                .hasMessage("values ([1, 2]) must be one integer with LESS_THAN");
        assertThatThrownBy(() -> admits("age", Operator.GREATER_THAN, "x"))
                .hasMessage("values ([x]) must be one integer with GREATER_THAN");
    }

    @Test
    void aJobMayUseANodeThatMeetsAllOfItsRequirements() {
        Elasticity elasticity = Elasticity.between(1, 1);
        NodeRequirement zone = new NodeRequirement("zone", Operator.IN, List.of("a"));
        NodeRequirement age = new NodeRequirement("age", Operator.GREATER_THAN, List.of("9"));

        assertThat(elasticity.allowsNode(NODE)).isTrue();
        assertThat(elasticity.withNodes(List.of(zone)).allowsNode(NODE)).isTrue();
        assertThat(elasticity.withNodes(List.of(zone, age)).allowsNode(NODE)).isFalse();
    }

    @Test
    void isWrittenAsAReaderWouldSayIt() {
        assertThat(new NodeRequirement("zone", Operator.IN, List.of("a", "b"))).hasToString("zone in (a, b)");
        assertThat(new NodeRequirement("age", Operator.GREATER_THAN, List.of("1")))
                .hasToString("age > 1");
        assertThat(new NodeRequirement("zone", Operator.DOES_NOT_EXIST, List.of()))
                .hasToString("zone does not exist");
    }
}
