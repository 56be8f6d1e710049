package dev.spur.policies.tiresias;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.round.RoundProblem;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElasticTiresiasTest {
    private final ElasticTiresias policy = new ElasticTiresias("e", new Queues(List.of(3600.0), 0, false));

    private int slotsOf(RoundProblem problem, String id) {
        return policy.decide(problem).allocations().get(id).configuration().slots();
    }

    @Test
    void furtherSlotsGoToTheHighestGain() {
        RoundProblem problem = problem()
                .nodes(4)
                .jobs(
                        job("flat").slots(1, 4).speeds(100, 110, 120, 130),
                        job("steep").slots(1, 4).speeds(100, 190, 280, 370))
                .build();

        assertThat(slotsOf(problem, "flat")).isEqualTo(1);
        assertThat(slotsOf(problem, "steep")).isEqualTo(3);
    }

    @Test
    void noJobGetsSlotsThatSlowItDown() {
        RoundProblem problem = problem()
                .nodes(4)
                .job(job("a").slots(1, 4).speeds(100, 90, 80, 70))
                .build();

        assertThat(slotsOf(problem, "a")).isEqualTo(1);
    }

    @Test
    void aWaitingJobWhoseFewestDoNotFitLeavesTheRace() {
        ProblemFixture problem = problem().nodes(4).job(job("first").arrival(1).slots(3, 4));
        problem.job(job("large").arrival(2).slots(2, 4));

        assertThat(policy.decide(problem.build()).allocations()).containsOnlyKeys("first");
        assertThat(slotsOf(problem.build(), "first")).isEqualTo(4);
    }
}
