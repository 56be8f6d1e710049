package dev.spur.solver.dual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.solver.dual.GubProgram.SetKind;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InteriorPointTest {
    private static final int SEEDS = 60;
    private static final int ITERATIONS = 150;
    private static final double TIGHT = 1e-6;
    private static final double PATH = 0.05;

    private static InteriorPoint start(GubProgram program) {
        double[] prices = new double[program.rows];
        Arrays.setAll(prices, r -> 0.5 * program.scale[r]);
        return InteriorPoint.start(program, prices, PATH);
    }

    /** Returns the optimum with elastic rows, whose prices have the limit of the method. */
    private static double elastic(GubProgram program) {
        return GlopOptimum.of(program, InteriorPoint.LIMIT);
    }

    private static double tolerance(double optimum) {
        return 1e-4 * Math.max(0.1, Math.abs(optimum));
    }

    @ParameterizedTest
    @EnumSource
    void boundIsTheOptimumOfTheElasticProgram(RandomGubPrograms kind) {
        int elastic = 0;
        int converged = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            GubProgram program = kind.program(seed);
            double optimum = elastic(program);
            InteriorPoint point = start(program);

            converged += point.run(ITERATIONS, TIGHT, () -> false) ? 1 : 0;

            assertThat(point.bound())
                    .as("%s %d", kind, seed)
                    .isGreaterThanOrEqualTo(optimum - 1e-7)
                    .isLessThanOrEqualTo(optimum + tolerance(optimum));
            assertThat(program.bound(point.prices()))
                    .as("%s %d", kind, seed)
                    .isCloseTo(optimum, within(tolerance(optimum)));
            elastic += optimum > GlopOptimum.of(program) + 1e-6 ? 1 : 0;
        }
        assertThat(converged).as("converged").isGreaterThan(SEEDS * 9 / 10);
        assertThat(elastic).as("programs with prices at their limit").isLessThan(SEEDS);
    }

    @ParameterizedTest
    @EnumSource
    void sharesAreAnOptimalSolutionOfTheElasticProgram(RandomGubPrograms kind) {
        for (long seed = 0; seed < SEEDS; seed++) {
            GubProgram program = kind.program(seed);
            double optimum = elastic(program);
            InteriorPoint point = start(program);
            point.run(ITERATIONS, TIGHT, () -> false);

            double value = 0;
            double[] use = new double[program.rows];
            for (int i = 0; i < program.sets; i++) {
                double sum = 0;
                for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                    assertThat(point.shares()[m]).isPositive();
                    sum += point.shares()[m];
                    value += point.shares()[m] * program.value[m];
                    for (int k = program.start[m]; k < program.start[m + 1]; k++) {
                        use[program.row[k]] += point.shares()[m] * program.amount[k];
                    }
                }
                assertThat(sum).as("%s %d, total of set %d", kind, seed, i).isCloseTo(program.total[i], within(1e-9));
            }
            for (int r = 0; r < program.rows; r++) {
                value -= InteriorPoint.LIMIT * program.scale[r] * Math.max(0, use[r] - program.capacity[r]);
            }
            assertThat(value).as("%s %d", kind, seed).isCloseTo(optimum, within(10 * tolerance(optimum)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void boundIsTheLowestOfThePricesOfAllIterations(RandomGubPrograms kind) {
        for (long seed = 0; seed < SEEDS; seed++) {
            GubProgram program = kind.program(seed);
            InteriorPoint point = start(program);
            double lowest = Double.POSITIVE_INFINITY;
            for (int k = 1; k < 20; k++) {
                lowest = Math.min(lowest, program.bound(point.prices()));

                point.run(k, TIGHT, () -> false);

                assertThat(point.bound())
                        .as("%s %d, iteration %d", kind, seed, k)
                        .isCloseTo(lowest, within(1e-6));
            }
        }
    }

    /** On the central path every product of a share and its reduced cost is the parameter. */
    @ParameterizedTest
    @EnumSource
    void startIsOnTheCentralPath(RandomGubPrograms kind) {
        for (long seed = 0; seed < SEEDS; seed++) {
            GubProgram program = kind.program(seed);
            InteriorPoint point = start(program);
            double[] prices = point.prices();
            for (int i = 0; i < program.sets; i++) {
                int from = program.first[i];
                double theta = program.reducedValue(from, prices) + PATH / point.shares()[from];
                double sum = 0;
                for (int m = from; m < program.first[i + 1]; m++) {
                    assertThat(point.shares()[m] * (theta - program.reducedValue(m, prices)))
                            .as("%s %d, member %d", kind, seed, m)
                            .isCloseTo(PATH, within(1e-6));
                    sum += point.shares()[m];
                }
                assertThat(sum).isCloseTo(program.total[i], within(1e-9));
            }
        }
    }

    @Test
    void pricesStayWithinTheirLimit() {
        GubProgramBuilder builder = new GubProgramBuilder(new double[] {1}, new double[] {1});
        for (int j = 0; j < 3; j++) {
            builder.member(0, -1);
            builder.member(100, j);
            builder.entry(0, 1);
            builder.endSet(SetKind.JOB, 1);
        }
        InteriorPoint point = start(builder.build());

        assertThat(point.run(ITERATIONS, TIGHT, () -> false)).isTrue();
        assertThat(point.prices()[0]).isCloseTo(InteriorPoint.LIMIT, within(1e-3));
        assertThat(point.bound()).as("two slots in excess").isCloseTo(300 - 2 * InteriorPoint.LIMIT, within(1e-2));
    }

    @Test
    void stopsAtOnceAndAfterTheMaximumNumberOfIterations() {
        InteriorPoint stopped = start(RandomGubPrograms.ALL_SETS.program(1));
        InteriorPoint limited = start(RandomGubPrograms.ALL_SETS.program(1));

        assertThat(stopped.run(ITERATIONS, TIGHT, () -> true)).isFalse();
        assertThat(stopped.iterations()).isZero();
        assertThat(limited.run(2, TIGHT, () -> false)).isFalse();
        assertThat(limited.iterations()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void siftedProgramConvergesToTheSameOptimum(RandomGubPrograms kind) {
        int fewer = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            GubProgram program = kind.program(seed);
            double optimum = elastic(program);
            InteriorPoint rough = start(program);
            rough.run(ITERATIONS, 0.1, () -> false);

            InteriorPoint part = InteriorPoint.sift(rough, program, 1);
            for (int i = 0; i < program.sets; i++) {
                GubProgram own = part.program();
                assertThat(Arrays.stream(part.shares(), own.first[i], own.first[i + 1])
                                .sum())
                        .isCloseTo(program.total[i], within(1e-9));
            }
            part.run(ITERATIONS, TIGHT, () -> false);
            InteriorPoint whole = InteriorPoint.sift(part, program, 1e9);
            whole.run(2 * ITERATIONS, TIGHT, () -> false);

            fewer += part.program().members() < program.members() ? 1 : 0;
            assertThat(part.bound()).isLessThanOrEqualTo(optimum + tolerance(optimum));
            assertThat(whole.program().members()).isEqualTo(program.members());
            assertThat(whole.iterations()).isGreaterThanOrEqualTo(part.iterations());
            assertThat(whole.bound()).as("%s %d", kind, seed).isCloseTo(optimum, within(tolerance(optimum)));
        }
        assertThat(fewer).isGreaterThan(SEEDS / 10);
    }

    @Test
    void siftingKeepsMembersOfOtherSetsAndThoseWithinTheDistance() {
        GubProgram program = RandomGubPrograms.ALL_SETS.program(new Random(3), 20, 5);
        InteriorPoint point = start(program);
        double distance = 0.5;

        GubProgram sifted = InteriorPoint.sift(point, program, distance).program();

        int at = 0;
        for (int i = 0; i < program.sets; i++) {
            double best = Double.NEGATIVE_INFINITY;
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                best = Math.max(best, program.reducedValue(m, point.prices()));
            }
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                boolean near = best - program.reducedValue(m, point.prices()) < distance;
                if (program.kind[i] != SetKind.JOB || near) {
                    assertThat(sifted.value[at]).isEqualTo(program.value[m]);
                    at++;
                }
            }
            assertThat(sifted.first[i + 1]).as("set %d", i).isEqualTo(at);
        }
        assertThat(at).isLessThan(program.members());
    }
}
