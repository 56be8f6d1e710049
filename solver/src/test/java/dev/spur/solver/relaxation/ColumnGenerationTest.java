package dev.spur.solver.relaxation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.RoundProblem;
import dev.spur.solver.Enumeration;
import dev.spur.solver.RandomProblems;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.resource.ResourceKey;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnGenerationTest {
    private static final double TIGHT = 1e-6;

    @ParameterizedTest(name = "100 problems from seed {0}, shrunk hosts {1}")
    @CsvSource({"0, false", "100, false", "200, true"})
    void anyPricesBoundEveryPlan(long first, boolean shrunk) {
        for (long seed = first; seed < first + 100; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(problem(seed, shrunk));
            double best = Enumeration.bestWorth(candidates);
            CouplingConstraints constraints =
                    CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);
            Random random = new Random(seed);

            for (int trial = 0; trial < 5; trial++) {
                Map<String, Double> some = RandomPrices.named(constraints, random);
                DualSolution dualSolution = ColumnGeneration.search(
                        constraints, List.of(WarmStartDuals.byRow(constraints, some)), passes -> TIGHT, 1, () -> false);

                assertThat(dualSolution.bound()).as("seed %d", seed).isGreaterThanOrEqualTo(best - 1e-9);
            }
        }
    }

    @ParameterizedTest(name = "50 problems from seed {0}")
    @ValueSource(longs = {1000, 2000})
    void theSearchEndsWhereNoMixtureOfChoicesIsBetter(long first) {
        for (long seed = first; seed < first + 50; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(RandomProblems.problem(seed, 8, 15));
            CouplingConstraints constraints =
                    CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);

            DualSolution dualSolution = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.byRow(constraints, Map.of())),
                    passes -> TIGHT,
                    300,
                    () -> false);

            double open = dualSolution.bound() - dualSolution.mixture();
            assertThat(open)
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(TIGHT * Math.max(1, Math.abs(dualSolution.bound())));
        }
    }

    @ParameterizedTest(name = "50 problems from seed {0}")
    @ValueSource(longs = {3000})
    void thePricesOfTheLastRoundAreABetterStartThanNone(long first) {
        int fresh = 0;
        int again = 0;
        for (long seed = first; seed < first + 50; seed++) {
            CandidateSet candidates = CandidateGenerator.generate(RandomProblems.problem(seed, 8, 15));
            CouplingConstraints constraints =
                    CouplingConstraintsBuilder.of(candidates, List.of(), RelaxationLevel.PATTERNS);
            DualSolution cold = ColumnGeneration.search(
                    constraints,
                    List.of(WarmStartDuals.byRow(constraints, Map.of())),
                    passes -> TIGHT,
                    300,
                    () -> false);
            Map<String, Double> last = ResourceKey.byName(cold.byResource(constraints));
            DualSolution warm = ColumnGeneration.search(
                    constraints, List.of(WarmStartDuals.byRow(constraints, last)), passes -> TIGHT, 300, () -> false);

            fresh += cold.passes();
            again += warm.passes();
        }

        assertThat(again).isLessThan(fresh);
    }

    private static RoundProblem problem(long seed, boolean shrunk) {
        return shrunk ? RandomProblems.shrunk(seed, 3, 4) : RandomProblems.problem(seed, 3, 4);
    }
}
