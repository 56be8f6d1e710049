package dev.spur.solver.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.ortools.sat.CpSolver;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.GroupedProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.resource.RestartLimit;
import dev.spur.solver.solve.CpSat;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VariableFixingTest {
    private static final SolveBudget BUDGET = new SolveBudget(10, 20, 1, 1);

    /** Some jobs keep what they have in the optimum: the optimum of the others is what it was. */
    @Test
    void theOptimumOfTheOpenJobsCompletesTheOptimumOfTheFixedOnes() {
        int compared = 0;
        for (long seed = 0; seed < 400; seed++) {
            CandidateSet candidates = candidates(seed);
            int[] best = solved(new RoundProgram(candidates));
            PlacementResult placement = Placer.place(candidates, PartialPlacement.withoutPlaces(best));
            if (placement.conflicts().isEmpty()) {
                int[] completed = solved(new RoundProgram(fixing(candidates, best, placement, new Random(seed))));

                assertThat(utility(candidates, completed))
                        .as("seed %d", seed)
                        .isEqualTo(utility(candidates, best), within(1e-6));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(300);
    }

    /** The greedy plan is complete: a value for every variable, and none that a constraint forbids. */
    @Test
    void thePlanWithItsNodesIsACompleteHint() {
        for (long seed = 0; seed < 200; seed++) {
            CandidateSet candidates = candidates(seed);
            RoundProgram program = new RoundProgram(candidates);
            PartialPlacement greedy = GreedyFill.fill(candidates);
            program.maximizeWorth();

            program.hint(greedy);

            assertThat(program.model().model().getSolutionHint().getVarsCount())
                    .as("hinted variables at seed %d", seed)
                    .isEqualTo(program.model().model().getVariablesCount());
            assertThat(hinted(program)).as("plan at seed %d", seed).isEqualTo(greedy.choice());
        }
    }

    private static CandidateSet candidates(long seed) {
        return CandidateGenerator.generate(GroupedProblems.problem(seed, 4, 8));
    }

    private static VariableFixing fixing(
            CandidateSet candidates, int[] best, PlacementResult placement, Random random) {
        Map<Integer, int[]> open = new LinkedHashMap<>();
        int[] choice = best.clone();
        ResidualCapacity residual = new ResidualCapacity(candidates);
        for (int j = 0; j < choice.length; j++) {
            if (!candidates.isPinned(j) && random.nextBoolean()) {
                open.put(
                        j,
                        IntStream.range(candidates.first(j), candidates.end(j)).toArray());
                choice[j] = -1;
            } else if (choice[j] >= 0) {
                residual.occupy(j, placement.allocations().get(j));
            }
        }
        return new VariableFixing(candidates, open, choice, residual, RestartLimit.of(candidates));
    }

    private static int[] solved(RoundProgram program) {
        program.maximizeWorth();
        int[] choice = CpSat.solve(program, BUDGET, 0).choice();
        assertThat(choice).isNotNull();
        return choice;
    }

    private static int[] hinted(RoundProgram program) {
        CpSolver solver = new CpSolver();
        solver.getParameters().setFixVariablesToTheirHintedValue(true).setNumWorkers(1);
        solver.solve(program.model());
        return program.choice(solver::booleanValue);
    }

    private static double utility(CandidateSet candidates, int[] choice) {
        return Arrays.stream(choice)
                .filter(c -> c >= 0)
                .mapToDouble(c -> candidates.get(c).utility())
                .sum();
    }
}
