package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.JobFixture;
import dev.spur.model.ProblemFixture;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.AllocationsCheck;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.RandomProblems;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DecisionTest {
    private static final int PROBLEMS = 40;

    @Nested
    class OfSpursOwnPolicy {
        @Test
        void saysWhatItsPlanSays() {
            for (long seed = 0; seed < PROBLEMS; seed++) {
                Decision decision = Policies.spur().decide(RandomProblems.problem(seed, 6, 10));

                RoundPlan plan = decision.plan();

                assertThat(decision.allocations())
                        .as("seed %d", seed)
                        .isEqualTo(plan.running().stream()
                                .collect(Collectors.toMap(PlannedJob::jobId, PlannedJob::allocation)));
                assertThat(decision.deadlineStatuses()).isEqualTo(plan.deadlineStatuses());
                assertThat(decision.memory()).isEqualTo(plan.memory());
                assertThat(decision.gap().orElseThrow())
                        .isCloseTo(plan.quality().gap(), within(1e-12));
            }
        }
    }

    @Nested
    class OfAPolicyThatProvesNothing {
        private static final RoundMemory MEMORY = new RoundMemory(Map.of(), Map.of("list/turns", 3.0));

        @Test
        void hasAPlanThatPassesTheJudge() {
            for (long seed = 0; seed < PROBLEMS; seed++) {
                RoundProblem problem = RandomProblems.problem(seed, 6, 10);
                var allocations = Policies.spur().decide(problem).allocations();

                RoundPlan plan = Decision.of(problem, allocations, MEMORY).plan();

                assertThat(PlanCheck.violations(problem, plan))
                        .as("seed %d", seed)
                        .isEmpty();
                assertThat(plan.running()).hasSameSizeAs(allocations.keySet());
                assertThat(plan.memory()).isEqualTo(MEMORY);
                assertThat(plan.quality().search()).isNull();
            }
        }

        @Test
        void promisesNoDeadlineAndProvesNoGap() {
            RoundProblem problem = ProblemFixture.problem()
                    .nodes(4)
                    .job(JobFixture.job("urgent").deadline(9e9, DeadlineStatus.PENDING))
                    .build();

            Decision decision = Decision.of(problem, Map.of(), MEMORY);

            assertThat(decision.deadlineStatuses()).containsExactly(Map.entry("urgent", DeadlineStatus.AT_RISK));
            assertThat(decision.gap()).isEmpty();
        }
    }

    @Nested
    class Allocations {
        @Test
        void areJudgedWithoutAPlan() {
            RoundProblem problem = ProblemFixture.problem()
                    .nodes(4)
                    .jobs(JobFixture.job("one"), JobFixture.job("other"))
                    .build();
            var first = JobFixture.allocation(1000, JobFixture.piece("n1", 0, 1));
            var second = JobFixture.allocation(1000, JobFixture.piece("n1", 1, 1));

            assertThat(AllocationsCheck.violations(problem, Map.of("one", first, "other", second)))
                    .isEmpty();
            assertThat(AllocationsCheck.violations(problem, Map.of("one", first, "other", first)))
                    .extracting("rule")
                    .containsExactly("noDeviceIsHeldTwice");
            assertThat(AllocationsCheck.violations(problem, Map.of("unknown", first)))
                    .extracting("subject")
                    .containsExactly("unknown");
        }
    }
}
