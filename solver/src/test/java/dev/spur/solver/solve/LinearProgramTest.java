package dev.spur.solver.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.round.SolveBudget;
import org.junit.jupiter.api.Test;

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
}
