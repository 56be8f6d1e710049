package dev.spur.policies.monolithic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.validation.PlanCheck;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.policy.Policies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decomposition against the whole program: neither finds a plan above the bound of the other. */
class SolverComparisonTest {
    @ParameterizedTest(name = "20 problems from seed {0}, for profit: {1}")
    @CsvSource({"0, false", "20, false", "40, true"})
    void bothProveTheSameOptimum(long first, boolean forProfit) {
        for (long seed = first; seed < first + 20; seed++) {
            RoundProblem problem =
                    forProfit ? RandomProblems.profitable(seed, 10, 25) : RandomProblems.problem(seed, 10, 25);

            SolutionQuality priced = Policies.spur().plan(problem).quality();
            SolutionQuality whole = MonolithicSolver.cpSat().plan(problem).quality();

            boolean bothProved = priced.status() == SolveStatus.OPTIMAL && whole.status() == SolveStatus.OPTIMAL;
            double scale = Math.max(1, whole.bestBound());
            assertThat(bothProved).as("seed %d: %s, %s", seed, priced, whole).isTrue();
            assertThat(priced.objectiveValue())
                    .as("seed %d", seed)
                    .isCloseTo(whole.objectiveValue(), within(2e-6 * scale));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 2)
    void neitherFindsAPlanAboveTheBoundOfTheOtherWhenOnlyACoreIsSearched(long seed) {
        RoundProblem drawn = RandomProblems.withoutObligations(RandomProblems.problem(seed, 120, 600));
        RoundProblem problem = drawn.withSettings(drawn.settings().withEffort(0.001, new SolveBudget(3, 60, 1, 1)));

        RoundPlan priced = Policies.spur().plan(problem);
        RoundPlan whole = MonolithicSolver.cpSat().plan(problem);

        assertThat(PlanCheck.violations(problem, priced)).isEmpty();
        assertThat(priced.quality().gap()).isLessThanOrEqualTo(0.001);
        assertThat(priced.quality().bestBound())
                .isGreaterThanOrEqualTo(whole.quality().objectiveValue());
        assertThat(whole.quality().bestBound())
                .isGreaterThanOrEqualTo(priced.quality().objectiveValue());
    }

    @Test
    void anotherSolverFindsTheSameOptimumInTheSameProgram() {
        for (long seed = 100; seed < 120; seed++) {
            RoundProblem problem =
                    RandomProblems.inOneClass(RandomProblems.withoutObligations(RandomProblems.problem(seed, 10, 25)));

            SolutionQuality mixed = MonolithicSolver.highs().plan(problem).quality();
            SolutionQuality whole = MonolithicSolver.cpSat().plan(problem).quality();

            double scale = Math.max(1, Math.abs(whole.bestBound()));
            assertThat(mixed.objectiveValue())
                    .as("seed %d", seed)
                    .isCloseTo(whole.objectiveValue(), within(2e-6 * scale));
            assertThat(mixed.bestBound()).as("seed %d", seed).isCloseTo(whole.bestBound(), within(4e-6 * scale));
        }
    }

    @Test
    void theProfitIsThatOfAnotherSolver() {
        for (long seed = 200; seed < 220; seed++) {
            RoundProblem problem = RandomProblems.inOneClass(
                    RandomProblems.withoutObligations(RandomProblems.profitable(seed, 10, 25)));

            SolutionQuality priced = Policies.spur().plan(problem).quality();
            SolutionQuality mixed = MonolithicSolver.highs().plan(problem).quality();

            double scale = Math.max(1, Math.abs(mixed.bestBound()));
            assertThat(priced.status()).as("seed %d", seed).isEqualTo(SolveStatus.OPTIMAL);
            assertThat(priced.objectiveValue())
                    .as("seed %d", seed)
                    .isCloseTo(mixed.objectiveValue(), within(2e-6 * scale));
        }
    }

    @Test
    void withoutASolverThereIsAPlanThatTheJudgePassesBelowTheBound() {
        for (long seed = 0; seed < 20; seed++) {
            RoundProblem problem =
                    RandomProblems.inOneClass(RandomProblems.withoutObligations(RandomProblems.problem(seed, 10, 25)));

            RoundPlan greedy = Policies.greedy().plan(problem);

            assertThat(PlanCheck.violations(problem, greedy))
                    .as("seed %d", seed)
                    .isEmpty();
            double bound = MonolithicSolver.cpSat().plan(problem).quality().bestBound();
            assertThat(greedy.quality().objectiveValue())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(bound + 1e-6 * Math.abs(bound));
        }
    }
}
