package dev.spur.solver.dual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.solver.dual.GubProgram.SetKind;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LagrangianDualTest {
    private static final int SEEDS = 100;
    private static final double CLOSE = 2e-4;
    /** Number of candidates from which Newton's method replaces the interior-point method. */
    private static final int LARGE = 350_000;

    /** A feasible program with its optimum. */
    private record Solvable(String name, GubProgram program, double optimum) {
        LagrangianDual.Sizes sizes(int min) {
            int jobs = (int) IntStream.range(0, program.sets)
                    .filter(i -> program.kind[i] == SetKind.JOB)
                    .count();
            int candidates = 1 + Arrays.stream(program.origin).max().orElse(-1);
            return new LagrangianDual.Sizes(
                    Math.max(0.5, optimum), Math.max(1, jobs / 2), jobs, 3, 1, Math.max(min, candidates));
        }

        LagrangianDual.Solution solution(int min, boolean stop) {
            return LagrangianDual.minimize(program, start(program), sizes(min), false, () -> stop);
        }

        double tolerance() {
            return CLOSE * Math.max(0.5, Math.abs(optimum));
        }
    }

    private static double[] start(GubProgram program) {
        return Arrays.stream(program.scale).map(scale -> 0.1 * scale).toArray();
    }

    private static List<Solvable> programs(RandomGubPrograms kind) {
        return IntStream.range(0, SEEDS)
                .mapToObj(seed -> {
                    GubProgram program = kind.program(seed);
                    return new Solvable(kind + " " + seed, program, GlopOptimum.of(program));
                })
                .filter(each -> each.optimum() > Double.NEGATIVE_INFINITY)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void boundIsTheOptimumWithinTheTolerance(RandomGubPrograms kind) {
        for (Solvable each : programs(kind)) {
            LagrangianDual.Solution solution = each.solution(0, false);

            assertThat(solution.bound())
                    .as(each.name())
                    .isGreaterThanOrEqualTo(each.optimum() - 1e-9)
                    .isLessThanOrEqualTo(each.optimum() + each.tolerance());
            assertThat(Arrays.stream(solution.prices()).min().orElse(0))
                    .as(each.name())
                    .isNotNegative();
            assertThat(each.program().bound(solution.prices())).isCloseTo(solution.bound(), within(1e-9));
        }
    }

    @ParameterizedTest
    @EnumSource
    void boundOfNewtonStepsAloneIsCloseToTheOptimum(RandomGubPrograms kind) {
        for (Solvable each : programs(kind)) {
            LagrangianDual.Solution solution = each.solution(LARGE, false);

            assertThat(solution.bound())
                    .as(each.name())
                    .isGreaterThanOrEqualTo(each.optimum() - 1e-9)
                    .isLessThanOrEqualTo(each.optimum() + 10 * each.tolerance());
            assertThat(each.program().bound(solution.prices())).isCloseTo(solution.bound(), within(1e-9));
        }
    }

    @ParameterizedTest
    @EnumSource
    void stopAtOnceGivesAValidBound(RandomGubPrograms kind) {
        for (Solvable each : programs(kind)) {
            for (int min : new int[] {0, LARGE}) {
                LagrangianDual.Solution solution = each.solution(min, true);

                assertThat(solution.bound()).as(each.name()).isGreaterThanOrEqualTo(each.optimum() - 1e-9);
                assertThat(each.program().bound(solution.prices())).isCloseTo(solution.bound(), within(1e-9));
                assertThat(solution.share()).hasSize(each.sizes(min).candidates());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void sharesAreNearlyAnOptimalSolution(RandomGubPrograms kind) {
        for (Solvable each : programs(kind)) {
            double[] share = each.solution(0, false).share();
            GubProgram program = each.program();
            double value = 0;
            for (int i = 0; i < program.sets; i++) {
                double sum = 0;
                for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                    double own = program.origin[m] < 0 ? 0 : share[program.origin[m]];
                    value += own * program.value[m];
                    sum += own;
                }
                assertThat(sum).as("%s, job %d", each.name(), i).isBetween(0.0, 1 + 1e-9);
            }
            assertThat(value).as(each.name()).isCloseTo(each.optimum(), within(each.tolerance()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void newtonStepsChooseTheCandidateWithTheBestReducedValue(RandomGubPrograms kind) {
        for (Solvable each : programs(kind)) {
            GubProgram program = each.program();
            LagrangianDual.Solution solution = each.solution(LARGE, false);
            for (int i = 0; i < program.sets; i++) {
                double best = IntStream.range(program.first[i], program.first[i + 1])
                        .mapToDouble(m -> program.reducedValue(m, solution.prices()))
                        .max()
                        .orElseThrow();
                for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                    if (program.origin[m] >= 0 && solution.share()[program.origin[m]] > 0) {
                        assertThat(program.reducedValue(m, solution.prices())).isEqualTo(best);
                    }
                }
            }
        }
    }

    /** Typical prices a hundred times too low: the limits of prices rise until they do not bind. */
    @ParameterizedTest
    @EnumSource
    void limitsOfPricesRiseWhereTypicalPricesAreTooLow(RandomGubPrograms kind) {
        for (Solvable each : programs(kind)) {
            double[] scale =
                    Arrays.stream(each.program().scale).map(s -> s / 100).toArray();
            GubProgram low = each.program().withScale(scale);

            double bound = new Solvable(each.name(), low, each.optimum())
                    .solution(0, false)
                    .bound();

            assertThat(bound)
                    .as(each.name())
                    .isGreaterThanOrEqualTo(each.optimum() - 1e-9)
                    .isLessThanOrEqualTo(each.optimum() + each.tolerance());
        }
    }

    /** The optimum may be nearly 0, so that no iterate is within the relative tolerance. */
    @ParameterizedTest
    @EnumSource
    void boundIsTheOptimumWhereTypicalPricesAreTooHigh(RandomGubPrograms kind) {
        for (Solvable each : programs(kind)) {
            double[] scale =
                    Arrays.stream(each.program().scale).map(s -> 100 * s).toArray();
            GubProgram high = each.program().withScale(scale);

            double bound = new Solvable(each.name(), high, each.optimum())
                    .solution(0, false)
                    .bound();

            assertThat(bound)
                    .as(each.name())
                    .isGreaterThanOrEqualTo(each.optimum() - 1e-9)
                    .isLessThanOrEqualTo(each.optimum() + 5 * each.tolerance());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 100})
    void boundOfALargerProgramIsTheOptimum(int jobs) {
        for (RandomGubPrograms kind : RandomGubPrograms.values()) {
            GubProgram program = kind.program(new Random(jobs), jobs, 10);
            Solvable each = new Solvable(kind + " with %d jobs".formatted(jobs), program, GlopOptimum.of(program));

            assertThat(each.solution(0, false).bound())
                    .as(each.name())
                    .isGreaterThanOrEqualTo(each.optimum() - 1e-9)
                    .isLessThanOrEqualTo(each.optimum() + each.tolerance());
        }
    }
}
