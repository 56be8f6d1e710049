package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.check.PlanCheck;
import dev.spur.model.job.Promise;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveStatus;
import dev.spur.solver.EnumeratedObligations;
import dev.spur.solver.Enumeration;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On tiny problems the plan is as good as the best of all plans, and the bound is not below it. */
class EnumerationTest {
    @ParameterizedTest(name = "{1} problems with up to {2} nodes and {3} jobs from seed {0}")
    @CsvSource({"0, 200, 3, 4", "1000, 200, 4, 5", "2382, 1, 4, 5", "3428, 1, 4, 5", "5000, 50, 6, 4", "6000, 50, 2, 6"
    })
    void noPlanIsBetter(long first, int seeds, int nodes, int jobs) {
        for (long seed = first; seed < first + seeds; seed++) {
            RoundProblem problem = RandomProblems.withoutObligations(RandomProblems.problem(seed, nodes, jobs));
            CandidateSet candidates = CandidateGenerator.generate(problem);

            RoundPlan plan = Policies.spur().plan(problem);

            isTheBest(problem, plan, Enumeration.bestWorth(candidates), seed);
        }
    }

    @ParameterizedTest(name = "{1} problems with up to {2} nodes and {3} jobs from seed {0}")
    @CsvSource({"20000, 200, 3, 4", "21000, 100, 4, 5"})
    void noPlanThatMeetsWhatIsOwedIsBetter(long first, int seeds, int nodes, int jobs) {
        for (long seed = first; seed < first + seeds; seed++) {
            RoundProblem problem = withObligations(RandomProblems.problem(seed, nodes, jobs), seed);
            CandidateSet candidates = CandidateGenerator.generate(problem);

            RoundPlan plan = Policies.spur().plan(problem);

            isTheBest(problem, plan, new EnumeratedObligations(candidates).bestWorth(), seed);
        }
    }

    @ParameterizedTest(name = "{1} problems with up to {2} nodes and {3} jobs from seed {0}")
    @CsvSource({"70000, 200, 3, 4", "71000, 100, 4, 5"})
    void noPlanIsBetterWhereHostsHaveShrunk(long first, int seeds, int nodes, int jobs) {
        for (long seed = first; seed < first + seeds; seed++) {
            RoundProblem problem = RandomProblems.withoutObligations(RandomProblems.shrunk(seed, nodes, jobs));
            CandidateSet candidates = CandidateGenerator.generate(problem);

            RoundPlan plan = Policies.spur().plan(problem);

            isTheBest(problem, plan, Enumeration.bestWorth(candidates), seed);
        }
    }

    private static void isTheBest(RoundProblem problem, RoundPlan plan, double best, long seed) {
        assertThat(plan.proof().worth())
                .as("worth for seed %d", seed)
                .isCloseTo(best, within(1e-7 * Math.max(1, Math.abs(best))));
        assertThat(PlanCheck.violations(problem, plan))
                .as("plan for seed %d", seed)
                .isEmpty();
        assertThat(plan.proof().bound()).as("bound for seed %d", seed).isGreaterThanOrEqualTo(best - 1e-9);
        assertThat(plan.proof().status()).as("status for seed %d", seed).isEqualTo(SolveStatus.OPTIMAL);
    }

    /** Many deadlines, some already promised, and little patience. */
    private static RoundProblem withObligations(RoundProblem problem, long seed) {
        Random random = new Random(seed);
        Promise[] said = {Promise.PROMISED, Promise.ASKED, Promise.AT_RISK};
        return RandomProblems.withObligations(problem, 20_000 + random.nextInt(30_000), job -> {
            double deadline = problem.now() + 200 + random.nextInt(8000);
            return random.nextBoolean() ? job : RandomProblems.withDeadline(job, deadline, said[random.nextInt(3)]);
        });
    }
}
