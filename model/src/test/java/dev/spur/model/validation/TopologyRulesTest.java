package dev.spur.model.validation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.PlanFixture.plan;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.TopologyLevel;
import dev.spur.model.job.Job;
import dev.spur.model.job.TopologyRequest;
import dev.spur.model.job.TopologyRequest.Policy;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes n1 and n2 are in one rack, n3 is in another one of their block, and n4 in another block. */
class TopologyRulesTest {
    private static final List<String> RACKS = List.of("r1", "r1", "r2", "r1");
    private static final List<String> BLOCKS = List.of("b1", "b1", "b1", "b2");

    private static RoundProblem round(TopologyRequest topology) {
        RoundProblem whole = problem().nodes(4, 4, 4, 4).job(job("a").slots(2)).build();
        List<Node> nodes = whole.nodes();
        Job asking = whole.jobs().get(0);
        return whole.withNodes(IntStream.range(0, nodes.size())
                        .mapToObj(v -> placed(nodes.get(v), RACKS.get(v), BLOCKS.get(v)))
                        .toList())
                .withJobs(List.of(asking.withSpec(asking.spec()
                        .edit()
                        .elasticity(asking.spec().elasticity().withTopology(topology))
                        .build())));
    }

    private static Node placed(Node node, String rack, String block) {
        return new Node(
                        node.id(),
                        node.pool(),
                        rack,
                        node.acceleratorType(),
                        node.devices(),
                        node.cpus(),
                        node.memoryGiB(),
                        node.aggregationSlots(),
                        node.pricePerSlotHour(),
                        node.state())
                .withLabels(Map.of(Node.BLOCK_LABEL, block));
    }

    private static Allocation on(String other, int crossings) {
        Allocation allocation = allocation(1000, piece("n1", 0, 1), piece(other, 0, 1));
        return allocation.withConfiguration(allocation.configuration().withCrossings(crossings));
    }

    private static List<String> broken(TopologyRequest topology, Allocation allocation) {
        return plan(round(topology)).run("a", allocation).brokenRules();
    }

    @ParameterizedTest
    @CsvSource({"RACK, n2, true", "RACK, n3, false", "RACK, n4, false", "BLOCK, n3, true", "BLOCK, n4, false"})
    void aJobThatRequiresADomainStaysInIt(TopologyLevel level, String other, boolean isAllowed) {
        assertThat(broken(new TopologyRequest(level, Policy.REQUIRE, null), on(other, 0)))
                .containsExactlyElementsOf(isAllowed ? List.of() : List.of("nodesAreInOneDomain"));
    }

    @Test
    void oneNodeIsADomain() {
        assertThat(broken(
                        new TopologyRequest(TopologyLevel.RACK, Policy.REQUIRE, null),
                        allocation(1000, piece("n4", 0, 2))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"RACK, n2, 0", "RACK, n3, 1", "RACK, n4, 2", "BLOCK, n3, 0", "BLOCK, n4, 1"})
    void aPreferenceStatesTheBoundariesOfItsNodes(TopologyLevel level, String other, int crossings) {
        TopologyRequest topology = new TopologyRequest(level, Policy.PREFER, null);

        assertThat(broken(topology, on(other, crossings))).isEmpty();
        assertThat(broken(topology, on(other, crossings == 1 ? 0 : 1))).containsExactly("crossingsAreThoseOfTheNodes");
    }
}
