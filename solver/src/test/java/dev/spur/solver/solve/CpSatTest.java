package dev.spur.solver.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.round.SolveBudget;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.program.RoundProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpSatTest {
    private static Solution solve(SolveBudget budget) {
        CandidateSet candidates =
                CandidateGenerator.generate(RandomProblems.withoutObligations(RandomProblems.problem(2, 90, 400)));
        RoundProgram program = new RoundProgram(candidates);
        program.maximizeWorth();
        program.hint(GreedyFill.fill(candidates));
        return CpSat.solve(program, budget, 0);
    }

    /** CP-SAT 9.15 with one worker omits most rows from its linear relaxation by default, and needs over 40 units. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {102, 104, 120})
    void roundsWithSeveralNodeClassesAreProvedOptimal(long seed) {
        CandidateSet candidates = CandidateGenerator.generate(
                RandomProblems.inOneClass(RandomProblems.withoutObligations(RandomProblems.problem(seed, 30, 80))));
        RoundProgram program = new RoundProgram(candidates);
        program.maximizeWorth();

        assertThat(CpSat.solve(program, new SolveBudget(5, 600, 1, 1), 0).end()).isEqualTo(Solution.End.OPTIMAL);
    }

    @ParameterizedTest(name = "{0} workers")
    @ValueSource(ints = {1, 2, 4})
    void severalWorkersSpendTheWorkOfOne(int workers) {
        SolveBudget budget = new SolveBudget(0.6, 600, workers, 1);
        RemainingBudget remainingBudget = new RemainingBudget(budget, () -> 0);

        Solution solution = solve(remainingBudget.share(0.5));
        remainingBudget.spend(solution.work());

        assertThat(solution.end()).isEqualTo(Solution.End.WORK_LIMIT);
        assertThat(remainingBudget.workLeft()).isBetween(0.29, 0.3);
    }

    @ParameterizedTest(name = "{0} units of 1, {1} s of 20 s, {2} workers")
    @CsvSource({
        "1.00, 2, 1, WORK_LIMIT",
        "1.00, 19, 1, WORK_LIMIT",
        "0.90, 19, 1, TIME_LIMIT",
        "1.95, 2, 2, WORK_LIMIT",
        "1.95, 19, 2, TIME_LIMIT",
        "0.90, 19, 2, TIME_LIMIT",
        "3.88, 2, 4, WORK_LIMIT",
        "1.10, 19, 4, TIME_LIMIT"
    })
    void theClockEndsASolveWhateverTheSumOfTheWork(double total, double seconds, int workers, Solution.End expected) {
        assertThat(CpSat.limit(total, seconds, new SolveBudget(1, 20, workers, 1)))
                .isEqualTo(expected);
    }

    @Test
    void aProgramThatTheSolverRejectsIsDescribedByItsRows() {
        RoundProgram program = new RoundProgram(CandidateGenerator.generate(RandomProblems.problem(2, 8, 15)));
        program.model()
                .getBuilder()
                .addConstraintsBuilder()
                .setName("WRONG")
                .getBoolOrBuilder()
                .addLiterals(1 << 20);

        assertThatThrownBy(() -> CpSat.solve(program, new SolveBudget(1, 20, 1, 1), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("CONFIGURATION=")
                .hasMessageContaining("WRONG=1");
    }

    @Test
    void workWithinTheLimitCountsByWorker() {
        SolveBudget budget = new SolveBudget(10, 20, 4, 1);

        assertThat(CpSat.work(2, Solution.End.TIME_LIMIT, budget)).isEqualTo(0.5);
        assertThat(CpSat.work(21, Solution.End.WORK_LIMIT, budget)).isEqualTo(10);
    }
}
