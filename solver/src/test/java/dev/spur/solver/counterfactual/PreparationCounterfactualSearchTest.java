package dev.spur.solver.counterfactual;

import static dev.spur.model.PreparationFixture.preparation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.Problems;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.whatif.AddNodes;
import dev.spur.model.whatif.SetNodeState;
import dev.spur.model.whatif.WithheldJobs;
import dev.spur.solver.counterfactual.PreparationCounterfactualSearch.Found;
import dev.spur.solver.dataprep.PreparationPlanner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PreparationCounterfactualSearchTest {
    private static Node node(String id, double cpus, double memoryGiB, NodeState state) {
        return new Node(id, "main", "r1", null, List.of(), cpus, memoryGiB, 0, 0, state);
    }

    private static RoundProblem problem(List<Node> nodes, Preparation... preparations) {
        return Problems.problem(nodes, List.of()).at(2000).withPreparations(List.of(preparations));
    }

    private static boolean runs(RoundProblem problem, String id) {
        return PreparationPlanner.plan(problem, Map.of()).running().stream()
                .anyMatch(planned -> planned.jobId().equals(id));
    }

    private static double memory(Found found) {
        return ((AddNodes) found.changes().get(0)).nodes().get(0).memoryGiB();
    }

    /** One node with 20 of the 32 GiB; what others keep free beside 8 GiB of headroom is 4 GiB. */
    private static final RoundProblem LACKS_EIGHT = problem(
            List.of(node("n1", 8, 20, NodeState.ACTIVE), node("n2", 0, 12, NodeState.ACTIVE)),
            preparation("p").build());

    @Test
    void theLeastMemoryToLendIsFound() {
        assertThat(runs(LACKS_EIGHT, "p")).isFalse();

        Found found = PreparationCounterfactualSearch.search(LACKS_EIGHT, "p", Map.of())
                .orElseThrow();

        assertThat(found.message()).isEqualTo("It would start if nodes of pool main had 8 GiB more to lend.");
        assertThat(found.verified()).isTrue();
        assertThat(runs(found.changes().get(0).applyTo(LACKS_EIGHT, WithheldJobs.NOTHING), "p"))
                .isTrue();
        double less = memory(found) - 1;
        assertThat(runs(
                        new AddNodes(List.of(node("less", 0, less, NodeState.ACTIVE)))
                                .applyTo(LACKS_EIGHT, WithheldJobs.NOTHING),
                        "p"))
                .isFalse();
    }

    @Test
    void aNodeIsProposedWhereNoneHasTheCpus() {
        RoundProblem problem = problem(
                List.of(node("n1", 2, 200, NodeState.ACTIVE)), preparation("p").build());

        Found found =
                PreparationCounterfactualSearch.search(problem, "p", Map.of()).orElseThrow();

        assertThat(found.message())
                .isEqualTo("It would start with 8 GiB and 4.0 CPUs free on one more node of pool main.");
        assertThat(memory(found)).isEqualTo(8);
    }

    @Test
    void aNodeOutsideOfEveryPoolItMayUseHelpsOnlyOnceItTakesNewWork() {
        RoundProblem problem = problem(
                List.of(node("n1", 8, 64, NodeState.CORDONED)),
                preparation("p").workingSet(1).leastLocal(1).cpus(8).build());

        Optional<Found> found =
                PreparationCounterfactualSearch.search(problem.withNodes(problem.nodes()), "p", Map.of());

        assertThat(found.orElseThrow().changes()).first().isInstanceOfAny(AddNodes.class, SetNodeState.class);
    }

    @Test
    void nothingIsNeededWhereItRunsAnyhow() {
        RoundProblem problem = problem(
                List.of(node("n1", 8, 64, NodeState.ACTIVE)), preparation("p").build());

        Found found =
                PreparationCounterfactualSearch.search(problem, "p", Map.of()).orElseThrow();

        assertThat(found.changes()).isEmpty();
        assertThat(found.verified()).isTrue();
    }

    @Test
    void whatIsAsGoodWithoutItIsNotVerified() {
        RoundProblem problem = problem(
                List.of(node("n1", 4, 32, NodeState.ACTIVE)),
                preparation("p").build(),
                preparation("q").build());

        List<Found> both = List.of("p", "q").stream()
                .map(id -> PreparationCounterfactualSearch.search(problem, id, Map.of())
                        .orElseThrow())
                .toList();

        assertThat(both).filteredOn(found -> found.changes().isEmpty()).noneMatch(Found::verified);
    }

    @Test
    void nothingIsFoundInNoPool() {
        RoundProblem problem = problem(
                List.of(node("n1", 2, 20, NodeState.ACTIVE)),
                preparation("p").pools("other").build());

        assertThat(PreparationCounterfactualSearch.search(problem, "p", Map.of()))
                .isEmpty();
    }
}
