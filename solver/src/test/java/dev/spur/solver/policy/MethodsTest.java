package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.check.PlanCheck;
import dev.spur.model.round.Proof;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.round.SolveStatus;
import dev.spur.solver.RandomProblems;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prices and core against the whole program: neither finds a plan above the other's bound. */
class MethodsTest {
    @ParameterizedTest(name = "20 problems from seed {0}")
    @ValueSource(longs = {0, 20})
    void bothProveTheSameOptimum(long first) {
        for (long seed = first; seed < first + 20; seed++) {
            RoundProblem problem = RandomProblems.problem(seed, 10, 25);

            Proof priced = Policies.spur().plan(problem).proof();
            Proof whole = Policies.cpSat().plan(problem).proof();

            boolean bothProved = priced.status() == SolveStatus.OPTIMAL && whole.status() == SolveStatus.OPTIMAL;
            double scale = Math.max(1, whole.bound());
            assertThat(bothProved).as("seed %d: %s, %s", seed, priced, whole).isTrue();
            assertThat(priced.worth()).as("seed %d", seed).isCloseTo(whole.worth(), within(2e-6 * scale));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 2)
    void neitherFindsAPlanAboveTheBoundOfTheOtherWhenOnlyACoreIsSearched(long seed) {
        RoundProblem drawn = RandomProblems.withoutObligations(RandomProblems.problem(seed, 120, 600));
        RoundProblem problem = drawn.withSettings(drawn.settings().withEffort(0.001, new SolveBudget(3, 60, 1, 1)));

        RoundPlan priced = Policies.spur().plan(problem);
        RoundPlan whole = Policies.cpSat().plan(problem);

        assertThat(PlanCheck.violations(problem, priced)).isEmpty();
        assertThat(priced.proof().gap()).isLessThanOrEqualTo(0.001);
        assertThat(priced.proof().bound()).isGreaterThanOrEqualTo(whole.proof().worth());
        assertThat(whole.proof().bound()).isGreaterThanOrEqualTo(priced.proof().worth());
    }

    @Test
    void anotherSolverFindsTheSameOptimumInTheSameProgram() {
        for (long seed = 100; seed < 120; seed++) {
            RoundProblem problem = RandomProblems.withoutObligations(RandomProblems.problem(seed, 10, 25));

            Proof mixed = Policies.highs().plan(problem).proof();
            Proof whole = Policies.cpSat().plan(problem).proof();

            double scale = Math.max(1, Math.abs(whole.bound()));
            assertThat(mixed.worth()).as("seed %d", seed).isCloseTo(whole.worth(), within(2e-6 * scale));
            assertThat(mixed.bound()).as("seed %d", seed).isCloseTo(whole.bound(), within(4e-6 * scale));
        }
    }

    @Test
    void withoutASolverThereIsAPlanThatTheJudgePassesBelowTheBound() {
        for (long seed = 0; seed < 20; seed++) {
            RoundProblem problem = RandomProblems.withoutObligations(RandomProblems.problem(seed, 10, 25));

            RoundPlan greedy = Policies.greedy().plan(problem);

            assertThat(PlanCheck.violations(problem, greedy))
                    .as("seed %d", seed)
                    .isEmpty();
            double bound = Policies.cpSat().plan(problem).proof().bound();
            assertThat(greedy.proof().worth()).as("seed %d", seed).isLessThanOrEqualTo(bound + 1e-6 * Math.abs(bound));
        }
    }
}
