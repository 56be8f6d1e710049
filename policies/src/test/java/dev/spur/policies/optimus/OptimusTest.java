package dev.spur.policies.optimus;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.NodeFixture;
import dev.spur.model.job.Synchronization;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.SlotFixture;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptimusTest {
    private final Optimus optimus = new Optimus();

    @Test
    void stepsGoWhereTheySaveMostTime() {
        RoundProblem problem = problem()
                .nodes(8)
                .jobs(
                        SlotFixture.scaling("long", 1).work(9e6),
                        SlotFixture.scaling("short", 1).work(1e5))
                .build();

        assertThat(SlotFixture.of(optimus, problem)).isEqualTo(Map.of("long", 7, "short", 1));
    }

    @Test
    void allJobsStartBeforeAnyGrows() {
        RoundProblem problem = problem()
                .nodes(3)
                .jobs(
                        SlotFixture.scaling("a", 1).work(9e6),
                        SlotFixture.scaling("b", 1),
                        SlotFixture.scaling("c", 1).work(1e4))
                .build();

        assertThat(SlotFixture.of(optimus, problem)).isEqualTo(Map.of("a", 1, "b", 1, "c", 1));
    }

    @Test
    void noJobGrowsWhereThatTakesLonger() {
        RoundProblem problem = problem()
                .nodes(8)
                .job(job("a").slots(1, 4).speeds(100, 90, 80, 70))
                .build();

        assertThat(SlotFixture.of(optimus, problem)).isEqualTo(Map.of("a", 1));
    }

    /** Faster with more aggregation slots, whatever the slots. */
    private static JobFixture bound(String id) {
        return job(id).slots(1, 4)
                .synchronization(new Synchronization(false, true, 1, 4))
                .servedSpeed(1, 1, 100)
                .servedSpeed(4, 1, 110)
                .servedSpeed(1, 4, 390)
                .servedSpeed(4, 4, 400);
    }

    @Test
    void aJobWhoseAggregationIsTheBottleneckGetsAggregationSlots() {
        RoundProblem problem = problem()
                .node(NodeFixture.node("n1", 8).aggregation(8))
                .job(bound("a"))
                .build();

        var configuration = optimus.decide(problem).allocations().get("a").configuration();

        assertThat(configuration.aggregationSlots()).isEqualTo(4);
    }

    @Test
    void aggregationSlotsAreNotGivenTwice() {
        RoundProblem problem = problem()
                .node(NodeFixture.node("n1", 8).aggregation(3))
                .jobs(bound("a"), bound("b"))
                .build();

        var allocations = optimus.decide(problem).allocations().values();

        assertThat(allocations).hasSize(2);
        assertThat(allocations.stream()
                        .mapToDouble(allocation -> allocation.configuration().aggregationSlots())
                        .sum())
                .isEqualTo(3);
    }
}
