package dev.spur.policies.support;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementStateTest {
    @Test
    void rankZeroOfARescaledJobKeepsItsDeviceWithAnyShare() {
        RoundProblem problem = problem()
                .node(node("n1", 8).aggregation(1))
                .node(node("n2", 8))
                .jobs(
                        job("a").slots(1, 6).rescales(1).on("n1", 5, 1),
                        job("b").slots(1).served(1))
                .build();
        RoundView view = RoundView.of(problem, BatchRule.USER);
        PlacementState placement = new PlacementState(view);

        placement.start(0, 6, (nodes, gang) -> List.of(new NodeSlots(1, 4), new NodeSlots(0, 2)));
        placement.start(1, view.partitionsOf(1).get(0), 1, 1, PlacementRules.MIN_NODES);

        Allocation allocation = placement.allocations().get("a");
        assertThat(allocation.placement()).hasSize(2);
        assertThat(problem.jobs().get(0).changeTo(allocation)).isEqualTo(ChangeMechanism.RESCALE);
    }
}
