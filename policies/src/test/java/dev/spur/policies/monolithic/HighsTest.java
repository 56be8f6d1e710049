package dev.spur.policies.monolithic;

import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.Solution;
import org.junit.jupiter.api.Test;

class HighsTest {
    private static RoundProgram program(RoundProblem problem) {
        CandidateSet candidates = CandidateGenerator.generate(problem);
        RoundProgram program = new RoundProgram(candidates);
        program.maximizeWorth();
        program.hint(GreedyFill.fill(candidates));
        return program;
    }

    private static RoundProblem random(int nodes, int jobs) {
        return RandomProblems.withoutObligations(RandomProblems.problem(2, nodes, jobs));
    }

    @Test
    void theSolutionPersistsAtTheTimeLimit() {
        Solution solution = Highs.solve(program(random(30, 90)), new SolveBudget(10, 0.05, 1, 1), 0);

        assertThat(solution.end()).isEqualTo(Solution.End.TIME_LIMIT);
        assertThat(solution.choice()).isNotNull();
    }

    @Test
    void theWorkLimitEndsASolveBeforeTheClock() {
        Solution solution = Highs.solve(program(random(30, 90)), new SolveBudget(0.05, 600, 1, 1), 0);

        assertThat(solution.end()).isEqualTo(Solution.End.TIME_LIMIT);
    }

    @Test
    void theNumberOfWorkersMayChangeInOneProcess() {
        for (int workers : new int[] {2, 1, 2}) {
            Solution solution = Highs.solve(program(random(20, 50)), new SolveBudget(10, 20, workers, 1), 0.3);

            assertThat(solution.end()).as("%d workers", workers).isIn(Solution.End.OPTIMAL, Solution.End.GAP_LIMIT);
        }
    }

    @Test
    void aProgramWithoutVariablesIsSolved() {
        Solution solution = Highs.solve(program(problem().build()), SolveBudget.DEFAULT, 0);

        assertThat(solution.end()).isEqualTo(Solution.End.OPTIMAL);
        assertThat(solution.choice()).isEmpty();
        assertThat(solution.bestBound()).isZero();
    }
}
