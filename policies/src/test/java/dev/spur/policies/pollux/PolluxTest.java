package dev.spur.policies.pollux;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.NodeShare;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.SlotFixture;
import dev.spur.solver.policy.Policy;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PolluxTest {
    private static final Policy POLLUX = new Pollux("pollux", PolluxSettings.DEFAULT);

    @Test
    void equalJobsShareTheCluster() {
        RoundProblem problem = problem()
                .nodes(4, 4)
                .jobs(SlotFixture.scaling("a", 0.9), SlotFixture.scaling("b", 0.9))
                .build();

        assertThat(SlotFixture.of(POLLUX, problem)).isEqualTo(Map.of("a", 4, "b", 4));
    }

    @Test
    void aPowerOfOneGivesMoreToWhoScalesBetter() {
        RoundProblem problem = problem()
                .nodes(8)
                .jobs(SlotFixture.scaling("good", 1), SlotFixture.scaling("bad", 0.3))
                .build();

        Map<String, Integer> sum = SlotFixture.of(new Pollux("sum", new PolluxSettings(1, 100, 100)), problem);

        assertThat(sum.get("good")).isGreaterThan(sum.getOrDefault("bad", 0));
    }

    @Test
    void noNodeCarriesTwoJobsThatAreSpread() {
        RoundProblem problem = problem()
                .nodes(2, 2, 2)
                .jobs(job("a").slots(3), job("b").slots(3), job("c").slots(1, 2))
                .build();

        var allocations = POLLUX.decide(problem).allocations();

        Set<String> seen = new HashSet<>();
        allocations.values().stream()
                .filter(allocation -> allocation.placement().size() > 1)
                .flatMap(allocation -> allocation.placement().stream())
                .map(NodeShare::node)
                .forEach(node -> assertThat(seen.add(node)).isTrue());
        assertThat(allocations).containsKey("c");
    }

    @Test
    void aRunningJobIsNotMovedForNothing() {
        RoundProblem problem = problem()
                .nodes(4, 4)
                .jobs(job("a").slots(4).on("n2", 4), job("b").slots(4).on("n1", 4))
                .build();

        assertThat(POLLUX.decide(problem).allocations().get("a"))
                .isEqualTo(problem.jobs().get(0).allocation());
    }

    @Test
    void fewSlotsStayIdle() {
        RoundProblem problem = problem()
                .nodes(4, 4, 4)
                .jobs(
                        SlotFixture.scaling("a", 1),
                        SlotFixture.scaling("b", 0.7),
                        SlotFixture.scaling("c", 0.4),
                        SlotFixture.scaling("d", 0.9))
                .build();

        Map<String, Integer> slots = SlotFixture.of(POLLUX, problem);

        assertThat(slots).hasSize(4);
        assertThat(slots.values().stream().mapToInt(k -> k).sum()).isGreaterThanOrEqualTo(11);
    }
}
