package dev.spur.solver.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.round.SolveBudget;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinearProgramTest {
    private static final SolveBudget BUDGET = SolveBudget.DEFAULT;

    @Test
    void findsTheBestVertexOfALinearProgram() {
        LinearProgram program = new LinearProgram();
        int x = program.variable(0, Double.POSITIVE_INFINITY, 3);
        int y = program.variable(0, Double.POSITIVE_INFINITY, 2);
        int both = program.atMost(4);
        program.add(both, x, 1);
        program.add(both, y, 1);
        int weighted = program.atMost(6);
        program.add(weighted, x, 2);
        program.add(weighted, y, 1);

        LinearSolution solution = program.maximize(BUDGET, 0).orElseThrow();

        assertThat(solution.objectiveValue()).isCloseTo(10, within(1e-9));
        assertThat(solution.value(x)).isCloseTo(2, within(1e-9));
        assertThat(solution.value(y)).isCloseTo(2, within(1e-9));
    }

    @Test
    void choosesWholeThingsWhereHalvesWouldBeBetter() {
        LinearProgram program = new LinearProgram();
        int[] things = {program.binary(10), program.binary(6), program.binary(6)};
        int room = program.atMost(4);
        program.add(room, things[0], 3);
        program.add(room, things[1], 2);
        program.add(room, things[2], 2);

        LinearSolution solution = program.maximize(BUDGET, 0).orElseThrow();

        assertThat(solution.objectiveValue()).isCloseTo(12, within(1e-6));
        assertThat(solution.bestBound()).isCloseTo(12, within(1e-6));
        assertThat(solution.isOne(things[0])).isFalse();
        assertThat(solution.isOne(things[1])).isTrue();
    }

    @Test
    void saysSoIfNothingIsFeasible() {
        LinearProgram program = new LinearProgram();
        int x = program.variable(0, 1, 1);
        program.add(program.atLeast(2), x, 1);

        assertThat(program.maximize(BUDGET, 0)).isEmpty();
    }

    @Test
    void saysSoIfNoWholeNumbersAreFeasible() {
        LinearProgram program = new LinearProgram();
        int x = program.binary(1);
        program.add(program.row(0.25, 0.75), x, 1);

        assertThat(program.maximize(BUDGET, 0)).isEmpty();
    }

    @Test
    void givesTheSameAnswerAgain() {
        LinearProgram program = new LinearProgram();
        int room = program.atMost(50);
        for (int i = 0; i < 40; i++) {
            program.add(room, program.binary(1 + i % 7), 1 + i % 5);
        }

        LinearSolution first = program.maximize(BUDGET, 0).orElseThrow();
        LinearSolution second = program.maximize(BUDGET, 0).orElseThrow();

        for (int i = 0; i < 40; i++) {
            assertThat(second.value(i)).isEqualTo(first.value(i));
        }
    }

    /** Knapsack with several limits: the sizes of a chosen thing count in each. */
    private static final class Knapsack {
        private final int[] worths;
        private final int[][] sizes;
        private final int limit;

        Knapsack(long seed, int things, int limits) {
            Random random = new Random(seed);
            worths = random.ints(things, 10, 100).toArray();
            sizes = Stream.generate(() -> random.ints(things, 10, 100).toArray())
                    .limit(limits)
                    .toArray(int[][]::new);
            limit = 15 * things;
        }

        LinearProgram program() {
            LinearProgram program = new LinearProgram();
            IntStream.of(worths).forEach(program::binary);
            for (int[] own : sizes) {
                int row = program.atMost(limit);
                for (int i = 0; i < own.length; i++) {
                    program.add(row, i, own[i]);
                }
            }
            return program;
        }

        /** Returns the optimum by enumeration. */
        int best() {
            return IntStream.range(0, 1 << worths.length)
                    .filter(choice -> Arrays.stream(sizes).allMatch(own -> sum(own, choice) <= limit))
                    .map(choice -> sum(worths, choice))
                    .max()
                    .orElseThrow();
        }

        private static int sum(int[] values, int choice) {
            return IntStream.range(0, values.length)
                    .filter(i -> ((choice >> i) & 1) == 1)
                    .map(i -> values[i])
                    .sum();
        }
    }

    @Test
    void aLargerGapTargetEndsTheSearchEarlier() {
        LinearSolution proved =
                new Knapsack(1, 40, 5).program().maximize(BUDGET, 0).orElseThrow();
        LinearSolution early =
                new Knapsack(1, 40, 5).program().maximize(BUDGET, 0.5).orElseThrow();

        assertThat(proved.bestBound()).isCloseTo(proved.objectiveValue(), within(1e-6));
        assertThat(early.objectiveValue()).isLessThan(proved.objectiveValue());
        assertThat(early.bestBound())
                .isGreaterThanOrEqualTo(proved.objectiveValue())
                .isLessThanOrEqualTo(1.5 * early.objectiveValue());
    }

    @ParameterizedTest(name = "gap target {0}, {1} units of work, {2} workers")
    @CsvSource({"0, 10, 1", "0.05, 10, 1", "0.3, 10, 1", "0, 0.001, 1", "0.3, 0.01, 2", "0, 0.00001, 4"})
    void noChoiceExceedsTheBound(double gapTarget, double work, int workers) {
        for (long seed = 0; seed < 30; seed++) {
            Knapsack knapsack = new Knapsack(seed, 12, 4);
            int best = knapsack.best();

            knapsack.program()
                    .maximize(new SolveBudget(work, 20, workers, 1), gapTarget)
                    .ifPresent(solution -> {
                        assertThat(solution.bestBound()).isGreaterThanOrEqualTo(best - 1e-6);
                        assertThat(solution.objectiveValue()).isLessThanOrEqualTo(best + 1e-6);
                    });
        }
    }
}
