package dev.spur.solver.dual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SmoothedDualTest {
    private static final double OBJECTIVE = 4;

    /** Value, gradient and Hessian at some prices. */
    private static HessianPart at(GubProgram program, double[] prices, double tau) {
        HessianPart[] parts = HessianPart.of(program);
        dual(program).evaluate(prices, tau, parts);
        return parts[0];
    }

    private static SmoothedDual dual(GubProgram program) {
        double[] smoothing = new double[program.sets];
        Arrays.setAll(smoothing, i -> 1 + 0.1 * (i % 5));
        return new SmoothedDual(program, smoothing, OBJECTIVE);
    }

    /** Prices between 0 and the scale, so that the barrier is positive. */
    private static double[] prices(GubProgram program, Random random) {
        double[] prices = new double[program.rows];
        Arrays.setAll(prices, r -> program.scale[r] * (0.1 + 0.8 * random.nextDouble()));
        return prices;
    }

    @ParameterizedTest
    @EnumSource
    void gradientAndHessianAreThoseOfCentralDifferences(RandomGubPrograms kind) {
        double step = 1e-5;
        for (long seed = 0; seed < 40; seed++) {
            GubProgram program = kind.program(seed);
            double[] prices = prices(program, new Random(seed));
            HessianPart here = at(program, prices, 1);
            for (int r = 0; r < program.rows; r++) {
                double[] more = prices.clone();
                double[] less = prices.clone();
                more[r] += step;
                less[r] -= step;
                HessianPart above = at(program, more, 1);
                HessianPart below = at(program, less, 1);

                assertThat(here.vector[r])
                        .as("%s %d, gradient by %d", kind, seed, r)
                        .isCloseTo((above.smooth - below.smooth) / (2 * step), within(1e-5));
                for (int q = 0; q < program.rows; q++) {
                    assertThat(here.matrix[Math.max(r, q)][Math.min(r, q)])
                            .as("%s %d, Hessian by %d and %d", kind, seed, r, q)
                            .isCloseTo((above.vector[q] - below.vector[q]) / (2 * step), within(1e-4));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void smoothedValueIsAboveTheDualAndConvergesToIt(RandomGubPrograms kind) {
        for (long seed = 0; seed < 40; seed++) {
            GubProgram program = kind.program(seed);
            double[] prices = prices(program, new Random(seed));
            double before = Double.POSITIVE_INFINITY;
            for (double tau = 1; tau > 1e-7; tau /= 10) {
                HessianPart here = at(program, prices, tau);

                assertThat(here.exact).isCloseTo(program.bound(prices), within(1e-9));
                assertThat(here.smooth)
                        .as("%s %d at %s", kind, seed, tau)
                        .isGreaterThan(here.exact)
                        .isLessThan(before);
                before = here.smooth;
            }
            assertThat(before).as("%s %d", kind, seed).isCloseTo(program.bound(prices), within(1e-4));
        }
    }

    @ParameterizedTest
    @EnumSource
    void minimizationReachesTheOptimum(RandomGubPrograms kind) {
        for (long seed = 0; seed < 60; seed++) {
            GubProgram program = kind.program(seed);
            double optimum = GlopOptimum.of(program);
            if (optimum == Double.NEGATIVE_INFINITY) {
                continue;
            }
            SmoothedDual dual = dual(program);
            double[] prices = prices(program, new Random(seed));
            for (double tau = 0.1; tau > 1e-5; tau /= 2.5) {
                prices = dual.minimize(prices, tau, 30);
            }

            assertThat(dual.bound())
                    .as("%s %d", kind, seed)
                    .isGreaterThanOrEqualTo(optimum - 1e-9)
                    .isCloseTo(optimum, within(2e-3 * Math.max(1, Math.abs(optimum))));
            assertThat(program.bound(dual.bestPrices())).isCloseTo(dual.bound(), within(1e-9));
            assertThat(Arrays.stream(dual.bestPrices()).min().orElse(1)).isPositive();
        }
    }

    @Test
    void withoutStepsThePricesStay() {
        GubProgram program = RandomGubPrograms.ALL_SETS.program(1);
        double[] prices = prices(program, new Random(1));
        SmoothedDual dual = dual(program);

        assertThat(dual.minimize(prices, 0.1, 0)).isEqualTo(prices);
        assertThat(dual.bound()).isCloseTo(program.bound(prices), within(1e-9));
    }

    @Test
    void theResultDoesNotDependOnTheNumberOfThreads() {
        GubProgram program = HessianPartTest.large(RandomGubPrograms.ALL_SETS);
        double[] prices = prices(program, new Random(1));
        Supplier<double[]> minimized = () -> dual(program).minimize(prices, 0.01, 5);
        List<double[]> results = new ArrayList<>();
        for (int threads = 1; threads <= 2; threads++) {
            ForkJoinPool pool = new ForkJoinPool(threads);
            results.add(pool.submit(minimized::get).join());
            pool.shutdown();
        }

        assertThat(results.get(1)).isEqualTo(results.get(0)).isNotEqualTo(prices);
    }
}
