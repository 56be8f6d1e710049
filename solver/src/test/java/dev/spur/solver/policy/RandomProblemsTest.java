package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.RoleProblems;
import dev.spur.solver.SensitiveProblems;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The judge finds nothing wrong with any plan, whatever the problem. */
class RandomProblemsTest {
    @ParameterizedTest(name = "100 problems from seed {0}")
    @ValueSource(longs = {0, 100, 200, 300, 400, 500, 600, 700, 800, 900})
    void everyPlanPassesTheJudge(long first) {
        for (long seed = first; seed < first + 100; seed++) {
            RoundProblem problem = RandomProblems.problem(seed, 6, 10);
            assertThat(ProblemCheck.violations(problem))
                    .as("problem of seed %d", seed)
                    .isEmpty();

            RoundPlan plan = Policies.spur().plan(problem);

            assertThat(PlanCheck.violations(problem, plan))
                    .as("plan for seed %d", seed)
                    .isEmpty();
        }
    }

    /** Candidates of a job with equal configurations but other nodes occur in larger rounds only. */
    @Test
    void everyPlanOfALargerRoundPassesTheJudge() {
        for (long seed = 0; seed < 12; seed++) {
            RoundProblem random = RandomProblems.problem(seed, 30, 80);
            RoundProblem problem =
                    random.withSettings(random.settings().withEffort(0.05, new SolveBudget(0.3, 30, 1, 1)));

            RoundPlan plan = Policies.spur().plan(problem);

            assertThat(PlanCheck.violations(problem, plan))
                    .as("plan for seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void everyPlanOfDevicesThatDoNotSumAmongThemselvesPassesTheJudge() {
        long alone = 0;
        for (long seed = 0; seed < 100; seed++) {
            RoundProblem problem = RandomProblems.sliced(seed, 6, 10);

            RoundPlan plan = Policies.spur().plan(problem);

            assertThat(PlanCheck.violations(problem, plan))
                    .as("plan for seed %d", seed)
                    .isEmpty();
            alone += plan.running().stream().filter(job -> reducesAlone(job)).count();
        }
        assertThat(alone).as("jobs on one device").isGreaterThan(20);
    }

    @Test
    void everyPlanBesideJobsThatHoldOtherPartsOfTheirHostsThanTheyStatePassesTheJudge() {
        long granted = 0;
        for (long seed = 0; seed < 200; seed++) {
            RoundProblem sensitive = SensitiveProblems.problem(seed, 6, 10);
            RoundProblem problem = seed % 2 == 0 ? sensitive : RoleProblems.withRoles(sensitive, seed);
            assertThat(ProblemCheck.violations(problem))
                    .as("problem of seed %d", seed)
                    .isEmpty();

            for (Policy policy : List.of(Policies.spur(), Policies.greedy())) {
                RoundPlan plan = policy.plan(problem);

                assertThat(PlanCheck.violations(problem, plan))
                        .as("%s, seed %d", policy.name(), seed)
                        .isEmpty();
                granted += plan.running().stream()
                        .filter(job -> job.allocation().configuration().host() != null)
                        .count();
            }
        }
        assertThat(granted).as("jobs that keep what they were granted").isGreaterThan(100);
    }

    private static boolean reducesAlone(PlannedJob job) {
        Allocation allocation = job.allocation();
        return allocation != null
                && allocation.configuration().strategy() == SyncStrategy.ALL_REDUCE
                && allocation.configuration().slots() == 1;
    }
}
