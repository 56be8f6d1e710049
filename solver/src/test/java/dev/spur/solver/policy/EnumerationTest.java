package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.solver.Enumeration;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On tiny problems the plan is as good as the best of all plans, and the bound is not below it. */
class EnumerationTest {
    @ParameterizedTest(name = "50 problems from seed {0}")
    @ValueSource(longs = {0, 50, 100, 150, 200, 250, 300, 350})
    void noPlanIsBetter(long first) {
        for (long seed = first; seed < first + 50; seed++) {
            RoundProblem problem = withoutObligations(RandomProblems.problem(seed, 3, 4));

            RoundPlan plan = Policies.spur().plan(problem);

            double best = Enumeration.bestWorth(CandidateGenerator.generate(problem));
            assertThat(plan.proof().worth())
                    .as("worth for seed %d", seed)
                    .isCloseTo(best, within(1e-7 * Math.max(1, Math.abs(best))));
            assertThat(plan.proof().bound()).as("bound for seed %d", seed).isGreaterThanOrEqualTo(best - 1e-9);
        }
    }

    private static RoundProblem withoutObligations(RoundProblem problem) {
        RoundSettings settings = problem.settings();
        return problem.withSettings(new RoundSettings(
                        settings.objective(),
                        settings.horizon(),
                        0,
                        settings.budget(),
                        settings.maxRestarts(),
                        1e9,
                        settings.ageingSeconds()))
                .withJobs(problem.jobs().stream()
                        .map(job -> new dev.spur.model.job.Job(
                                job.id(),
                                job.tenant(),
                                job.arrival(),
                                job.spec(),
                                job.remainingSamples(),
                                null,
                                dev.spur.model.job.Promise.NONE,
                                job.history(),
                                job.allocation()))
                        .toList());
    }
}
