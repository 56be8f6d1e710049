package dev.spur.solver.dual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.solver.dual.GubProgram.SetKind;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PresolveTest {
    private static final int SEEDS = 150;

    /** Enumeration of all integral solutions of a program with integral totals. */
    private static final class IntegralSolutions {
        private final GubProgram program;
        private final double[] use;
        private final int[] x;
        /** Members that some solution contains. */
        private final BitSet possible = new BitSet();

        private double optimum = Double.NEGATIVE_INFINITY;

        IntegralSolutions(GubProgram program) {
            this.program = program;
            this.use = new double[program.rows];
            this.x = new int[program.members()];
            search(0, 0, (int) program.total[0], 0);
        }

        private void search(int i, int m, int left, double value) {
            if (left == 0) {
                int next = i + 1;
                if (next == program.sets) {
                    found(value);
                } else {
                    search(next, program.first[next], (int) program.total[next], value);
                }
                return;
            }
            if (m == program.first[i + 1]) {
                return;
            }
            for (int n = 0; n <= left; n++) {
                search(i, m + 1, left - n, value + n * program.value[m]);
                add(m, 1);
            }
            add(m, -left - 1);
        }

        private void add(int m, int n) {
            x[m] += n;
            for (int k = program.start[m]; k < program.start[m + 1]; k++) {
                use[program.row[k]] += n * program.amount[k];
            }
        }

        private void found(double value) {
            for (int r = 0; r < use.length; r++) {
                if (use[r] > program.capacity[r] + 1e-9) {
                    return;
                }
            }
            optimum = Math.max(optimum, value);
            for (int m = 0; m < x.length; m++) {
                possible.set(m, possible.get(m) || x[m] > 0);
            }
        }
    }

    /** Returns the program with the number of each member as its origin. */
    private static GubProgram numbered(GubProgram program) {
        GubProgramBuilder builder = new GubProgramBuilder(program.capacity, program.scale);
        for (int i = 0; i < program.sets; i++) {
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                builder.member(program.value[m], m);
                for (int k = program.start[m]; k < program.start[m + 1]; k++) {
                    builder.entry(program.row[k], program.amount[k]);
                }
            }
            builder.endSet(program.kind[i], program.total[i]);
        }
        return builder.build();
    }

    @ParameterizedTest
    @EnumSource
    void noIntegralSolutionContainsARemovedMember(RandomGubPrograms kind) {
        int removed = 0;
        int feasible = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            GubProgram program = numbered(kind.program(new Random(seed), 3, 3));
            IntegralSolutions solutions = new IntegralSolutions(program);
            if (solutions.possible.isEmpty()) {
                continue;
            }
            feasible++;
            BitSet gone = new BitSet();
            gone.set(0, program.members());
            Arrays.stream(program.presolve().origins()).forEach(gone::clear);
            removed += gone.cardinality();

            assertThat(gone.intersects(solutions.possible))
                    .as("%s %d", kind, seed)
                    .isFalse();
        }
        assertThat(feasible).isGreaterThan(SEEDS / 2);
        assertThat(removed).isGreaterThan(30);
    }

    @ParameterizedTest
    @EnumSource
    void integralOptimumStaysAndLinearOneDoesNotRise(RandomGubPrograms kind) {
        int lower = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            GubProgram program = kind.program(new Random(seed), 3, 3);
            GubProgram presolved = program.presolve();
            double optimum = new IntegralSolutions(program).optimum;
            if (optimum > Double.NEGATIVE_INFINITY) {
                double before = GlopOptimum.of(program);
                double after = GlopOptimum.of(presolved);

                assertThat(new IntegralSolutions(presolved).optimum)
                        .as("%s %d", kind, seed)
                        .isCloseTo(optimum, within(1e-9));
                assertThat(after).as("%s %d", kind, seed).isBetween(optimum - 1e-7, before + 1e-7);
                lower += after < before - 1e-6 ? 1 : 0;
            }
        }
        assertThat(lower).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void pricesOfThePresolvedProgramGiveABoundOfBoth(RandomGubPrograms kind) {
        for (long seed = 0; seed < SEEDS; seed++) {
            GubProgram program = kind.program(new Random(seed), 3, 3);
            GubProgram presolved = program.presolve();
            double integral = new IntegralSolutions(program).optimum;
            if (integral > Double.NEGATIVE_INFINITY) {
                double[] prices = pricesOf(presolved, seed);

                assertThat(presolved.bound(prices)).as("%s %d", kind, seed).isGreaterThanOrEqualTo(integral - 1e-9);
                assertThat(program.bound(prices))
                        .as("%s %d", kind, seed)
                        .isGreaterThanOrEqualTo(GlopOptimum.of(program) - 1e-9);
            }
        }
    }

    private static double[] pricesOf(GubProgram program, long seed) {
        double[] prices = new Random(seed).doubles(program.rows(), 0.01, 1).toArray();
        double[] smoothing = new double[program.sets];
        Arrays.fill(smoothing, 1);
        SmoothedDual dual = new SmoothedDual(program, smoothing, 1);
        dual.minimize(dual.minimize(prices, 0.1, 20), 0.01, 20);
        return dual.bestPrices();
    }

    /** The only candidate of the first job leaves one slot, so that the second job cannot use two. */
    @Test
    void aMemberIsRemovedWhereAnotherSetNeedsTheRow() {
        GubProgramBuilder builder = new GubProgramBuilder(new double[] {3}, new double[] {1});
        builder.member(1, 0);
        builder.entry(0, 2);
        builder.endSet(SetKind.JOB, 1);
        builder.member(0, 1);
        builder.member(1, 2);
        builder.entry(0, 1);
        builder.member(5, 3);
        builder.entry(0, 2);
        builder.endSet(SetKind.JOB, 1);

        assertThat(builder.build().presolve().origins()).containsExactly(0, 1, 2);
    }

    /** Both candidates use the row, so that the minimum use of the set does not count twice. */
    @Test
    void aMemberThatFitsStays() {
        GubProgramBuilder builder = new GubProgramBuilder(new double[] {3}, new double[] {1});
        builder.member(1, 0);
        builder.entry(0, 2);
        builder.member(5, 1);
        builder.entry(0, 3);
        builder.member(7, 2);
        builder.entry(0, 4);
        builder.endSet(SetKind.JOB, 1);

        assertThat(builder.build().presolve().origins()).containsExactly(0, 1);
    }

    /** Such a set mixes members in fractions, so that one is removed only if no fraction of it fits. */
    @Test
    void aSetWithAnotherTotalKeepsMembersThatFitInPart() {
        for (double slack : new double[] {0, 1}) {
            GubProgramBuilder builder = new GubProgramBuilder(new double[] {slack}, new double[] {1});
            builder.member(0, 0);
            builder.member(1, 1);
            builder.entry(0, 2);
            builder.endSet(SetKind.NODES, 2);

            assertThat(builder.build().presolve().members()).isEqualTo(slack == 0 ? 1 : 2);
        }
    }

    /** Each removal takes the minimum use of the row down for the next set. */
    @Test
    void removalsLeadToFurtherRemovals() {
        GubProgramBuilder builder = new GubProgramBuilder(new double[] {1, 1}, new double[] {1, 1});
        builder.member(1, 0);
        builder.entry(0, 2);
        builder.member(1, 1);
        builder.entry(1, 1);
        builder.endSet(SetKind.JOB, 1);
        builder.member(0, 2);
        builder.member(1, 3);
        builder.entry(1, 1);
        builder.endSet(SetKind.JOB, 1);

        assertThat(builder.build().presolve().origins()).containsExactly(1, 2);
        assertThat(new Presolve(builder.build(), 1, 1e-6).reduce().origins()).containsExactly(1, 2, 3);
    }

    @Test
    void aProgramWithoutRemovalIsTheSame() {
        GubProgramBuilder builder = new GubProgramBuilder(new double[] {1}, new double[] {1});
        builder.member(0, 0);
        builder.member(1, 1);
        builder.entry(0, 1);
        builder.endSet(SetKind.JOB, 1);
        GubProgram program = builder.build();

        assertThat(program.presolve()).isSameAs(program);
    }

    /** An infeasible program: no member fits, and each set keeps one. */
    @Test
    void eachSetKeepsAMember() {
        GubProgramBuilder builder = new GubProgramBuilder(new double[] {0}, new double[] {1});
        builder.member(1, 0);
        builder.entry(0, 2);
        builder.member(1, 1);
        builder.entry(0, 3);
        builder.endSet(SetKind.JOB, 1);

        assertThat(builder.build().presolve().members()).isEqualTo(1);
    }
}
