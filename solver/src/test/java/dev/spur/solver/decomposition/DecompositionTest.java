package dev.spur.solver.decomposition;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.SolveResult;
import dev.spur.solver.solve.StepTimer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DecompositionTest {
    /** Any plan is close enough, so that none is improved. */
    private static final double ANY = 10;

    @Test
    void ofEqualPlansTheOneThatWasThereBeforeStays() {
        CandidateSet candidates =
                satisfied(problem().nodes(1).jobs(job("a"), job("b")).build());

        assertThat(List.of(running(candidates, 0), running(candidates, 1))).containsExactly(List.of(0), List.of(1));
    }

    /** Who runs if the known plan runs job {@code j} alone. */
    private static List<Integer> running(CandidateSet candidates, int j) {
        int[] known = {-1, -1};
        known[j] = candidates.first(j);
        return List.copyOf(found(candidates, PartialPlacement.withoutPlaces(known))
                .placement()
                .allocations()
                .keySet());
    }

    @Test
    void theGreedyPlanIsTakenOverWhereItIsWorthMore() {
        int taken = 0;
        int lost = 0;
        for (long seed = 0; seed < 600; seed++) {
            CandidateSet candidates = satisfied(RandomProblems.problem(seed, 8, 15));
            PartialPlacement filledPlacement = GreedyFill.fill(candidates);
            // the utility of a move or of changed ranks is an upper limit, so these do not count
            double greedy = IntStream.of(filledPlacement.choice())
                    .filter(c -> c >= 0 && !candidates.get(c).mayLose())
                    .mapToDouble(c -> candidates.get(c).utility())
                    .sum();

            lost += found(candidates, filledPlacement).objectiveValue(candidates) < greedy - 1e-9 ? 1 : 0;
            taken += found(candidates, PartialPlacement.withoutPlaces(GreedyFill.repairPlan(candidates)))
                                    .objectiveValue(candidates)
                            < greedy - 1e-9
                    ? 1
                    : 0;
        }

        assertThat(lost).as("greedy plans that the placement does not reach").isLessThanOrEqualTo(1);
        assertThat(taken).isPositive();
    }

    private static CandidateSet satisfied(RoundProblem problem) {
        return CandidateGenerator.generate(
                problem.withSettings(problem.settings().withEffort(ANY, new SolveBudget(100, 100, 1, 1))));
    }

    private static SolveResult found(CandidateSet candidates, PartialPlacement known) {
        RemainingBudget budget = new RemainingBudget(new SolveBudget(100, 100, 1, 1), () -> 0);
        return Decomposition.solve(candidates, List.of(), known, budget, new StepTimer());
    }
}
