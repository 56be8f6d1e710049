package dev.spur.policies.pollux;

import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.SlotFixture;
import dev.spur.solver.policy.Policy;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How good plans are on a cluster of the size that the authors simulate. */
class GeneticSearchTest {
    private static final Policy POLLUX = new Pollux("pollux", PolluxSettings.DEFAULT);

    @Test
    void aFullClusterMakesRoomForANewcomerAndMovesFew() {
        JobFixture[] jobs = IntStream.range(0, 33)
                .mapToObj(i -> i < 32
                        ? SlotFixture.scaling("j" + i, 0.8).arrival(-3600).on("n" + (i / 2 + 1), 2)
                        : SlotFixture.scaling("new", 0.8))
                .toArray(JobFixture[]::new);
        RoundProblem problem = sixteenNodes(jobs);

        Map<String, Allocation> allocations = POLLUX.decide(problem).allocations();

        assertThat(allocations).containsKey("new");
        long moved = problem.jobs().stream()
                .filter(job -> job.allocation() != null)
                .filter(job -> !job.allocation().equals(allocations.get(job.id())))
                .count();
        assertThat(moved).isLessThanOrEqualTo(2);
    }

    private static RoundProblem sixteenNodes(JobFixture... jobs) {
        int[] nodes = new int[16];
        Arrays.fill(nodes, 4);
        return problem().nodes(nodes).jobs(jobs).build();
    }
}
