package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.EnumeratedObligations;
import dev.spur.solver.Enumeration;
import dev.spur.solver.GroupedProblems;
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
    @CsvSource({"20000, 150, 3, 4", "21000, 50, 4, 5"})
    void noPlanThatKeepsMorePromisesIsBetter(long first, int seeds, int nodes, int jobs) {
        for (long seed = first; seed < first + seeds; seed++) {
            Random random = new Random(seed);
            DeadlineStatus[] said = {DeadlineStatus.GUARANTEED, DeadlineStatus.PENDING, DeadlineStatus.AT_RISK};
            isTheBestThatMeetsWhatIsOwed(
                    seed,
                    RandomProblems.withObligations(
                            RandomProblems.problem(seed, nodes, jobs),
                            1e9,
                            job -> random.nextBoolean()
                                    ? job
                                    : RandomProblems.withDeadline(job, deadline(random), said[random.nextInt(3)])));
        }
    }

    /** Nobody is left alone for a while or promised where it is: no place is kept for anybody. */
    @ParameterizedTest(name = "{1} problems with up to {2} nodes and {3} jobs from seed {0}")
    @CsvSource({"22000, 150, 3, 4", "23000, 50, 4, 5"})
    void noPlanThatServesMoreLongWaitsIsBetter(long first, int seeds, int nodes, int jobs) {
        for (long seed = first; seed < first + seeds; seed++) {
            Random random = new Random(seed);
            isTheBestThatMeetsWhatIsOwed(
                    seed,
                    RandomProblems.withObligations(
                            RandomProblems.problem(seed, nodes, jobs),
                            10_000 + random.nextInt(30_000),
                            job -> job.allocation() == null
                                    ? job
                                    : RandomProblems.withDeadline(
                                            job.withAllocation(longHeld(job)), null, DeadlineStatus.NONE)));
        }
    }

    private static double deadline(Random random) {
        return 100_200 + random.nextInt(8000);
    }

    private static Allocation longHeld(Job job) {
        Allocation held = job.allocation();
        return new Allocation(held.configuration(), held.placement(), held.aggregation(), 0);
    }

    private static void isTheBestThatMeetsWhatIsOwed(long seed, RoundProblem problem) {
        CandidateSet candidates = CandidateGenerator.generate(problem);

        RoundPlan plan = Policies.spur().plan(problem);

        isTheBest(problem, plan, new EnumeratedObligations(candidates).bestWorth(), seed);
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

    @ParameterizedTest(name = "{1} problems with up to {2} nodes and {3} jobs from seed {0}")
    @CsvSource({"90000, 100, 3, 4", "91000, 50, 4, 5"})
    void noPlanIsBetterWhereJobsShareNetworks(long first, int seeds, int nodes, int jobs) {
        for (long seed = first; seed < first + seeds; seed++) {
            RoundProblem problem = RandomProblems.withoutObligations(RandomProblems.contended(seed, nodes, jobs));
            CandidateSet candidates = CandidateGenerator.generate(problem);

            RoundPlan plan = Policies.spur().plan(problem);

            isTheBest(problem, plan, Enumeration.bestWorth(candidates), seed);
        }
    }

    @ParameterizedTest(name = "{1} problems with up to {2} nodes and {3} jobs from seed {0}")
    @CsvSource({"80000, 300, 3, 4", "81000, 200, 4, 5"})
    void noPlanIsBetterWhereGroupsShareCaps(long first, int seeds, int nodes, int jobs) {
        for (long seed = first; seed < first + seeds; seed++) {
            RoundProblem problem = RandomProblems.withoutObligations(GroupedProblems.problem(seed, nodes, jobs));
            CandidateSet candidates = CandidateGenerator.generate(problem);

            RoundPlan plan = Policies.spur().plan(problem);

            isTheBest(problem, plan, Enumeration.bestWorth(candidates), seed);
        }
    }

    @ParameterizedTest(name = "{1} problems with up to {2} nodes and {3} jobs from seed {0}")
    @CsvSource({"82000, 100, 3, 4"})
    void noPlanThatServesMoreObligationsIsBetterWhereGroupsShareCaps(long first, int seeds, int nodes, int jobs) {
        for (long seed = first; seed < first + seeds; seed++) {
            Random random = new Random(seed);
            isTheBestThatMeetsWhatIsOwed(
                    seed,
                    RandomProblems.withObligations(
                            GroupedProblems.problem(seed, nodes, jobs),
                            1e9,
                            job -> random.nextBoolean()
                                    ? job
                                    : RandomProblems.withDeadline(job, deadline(random), DeadlineStatus.PENDING)));
        }
    }

    private static void isTheBest(RoundProblem problem, RoundPlan plan, double best, long seed) {
        assertThat(plan.quality().objectiveValue())
                .as("worth for seed %d", seed)
                .isCloseTo(best, within(1e-7 * Math.max(1, Math.abs(best))));
        assertThat(PlanCheck.violations(problem, plan))
                .as("plan for seed %d", seed)
                .isEmpty();
        assertThat(plan.quality().bestBound()).as("bound for seed %d", seed).isGreaterThanOrEqualTo(best - 1e-9);
        assertThat(plan.quality().status()).as("status for seed %d", seed).isEqualTo(SolveStatus.OPTIMAL);
    }
}
