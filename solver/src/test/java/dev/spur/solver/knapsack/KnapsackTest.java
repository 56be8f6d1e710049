package dev.spur.solver.knapsack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnapsackTest {
    private static final int WIDE = 10_000;

    /** A random knapsack, and all its decisions. */
    private static final class Example {
        private final List<Knapsack.Quota> quotas = new ArrayList<>();
        private final List<Knapsack.Cap> caps = new ArrayList<>();
        private final int[] start;
        private final int[] capOf;
        private final int[] quota;
        private final int[] slots;
        private final double[] value;
        private final double[] claimPrice;

        Example(long seed) {
            Random random = new Random(seed);
            int count = seed % 5 == 0 ? 0 : 1 + random.nextInt(3);
            claimPrice = new double[count];
            for (int q = 0; q < count; q++) {
                int max = random.nextInt(12);
                quotas.add(new Knapsack.Quota(max, random.nextInt(12)));
                claimPrice[q] = random.nextInt(2) == 0 ? 0 : random.nextDouble();
            }
            for (int g = seed % 2 == 0 ? 0 : random.nextInt(3); g > 0; g--) {
                caps.add(new Knapsack.Cap(
                        random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(12),
                        random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(3)));
            }
            int jobs = 1 + random.nextInt(5);
            capOf = random.ints(jobs, -1, caps.size()).toArray();
            List<double[]> alternatives = new ArrayList<>();
            start = new int[jobs + 1];
            for (int j = 0; j < jobs; j++) {
                alternatives.add(new double[] {-1, 0, 0});
                int more = random.nextInt(5);
                for (int a = 0; a < more; a++) {
                    int size = 1 + random.nextInt(6);
                    int of = count == 0 || random.nextInt(6) == 0 ? -1 : random.nextInt(count);
                    alternatives.add(new double[] {of, size, random.nextDouble() * size});
                }
                start[j + 1] = alternatives.size();
            }
            quota = alternatives.stream().mapToInt(a -> (int) a[0]).toArray();
            slots = alternatives.stream().mapToInt(a -> (int) a[1]).toArray();
            value = alternatives.stream().mapToDouble(a -> a[2]).toArray();
        }

        Knapsack.KnapsackSolution solve(int width) {
            return knapsack().solve(value, claimPrice, width);
        }

        Knapsack knapsack() {
            return Knapsack.of(quotas, caps, start, capOf, quota, slots).orElseThrow();
        }

        double best() {
            return best(0, new int[start.length - 1]);
        }

        private double best(int j, int[] ways) {
            if (j == ways.length) {
                return gain(ways);
            }
            double best = Double.NEGATIVE_INFINITY;
            for (int a = start[j]; a < start[j + 1]; a++) {
                ways[j] = a;
                best = Math.max(best, best(j + 1, ways));
            }
            return best;
        }

        /** What a decision gains; minus infinity if a quota or a cap does not hold it. */
        double gain(int[] ways) {
            double gain = 0;
            int[] used = new int[quotas.size()];
            for (int a : ways) {
                gain += value[a];
                if (quota[a] >= 0) {
                    used[quota[a]] += slots[a];
                }
            }
            for (int g = 0; g < caps.size(); g++) {
                int cap = g;
                int[] taken = IntStream.range(0, ways.length)
                        .filter(j -> capOf[j] == cap)
                        .map(j -> slots[ways[j]])
                        .filter(of -> of > 0)
                        .toArray();
                if (IntStream.of(taken).sum() > caps.get(g).slots()
                        || taken.length > caps.get(g).jobs()) {
                    return Double.NEGATIVE_INFINITY;
                }
            }
            for (int q = 0; q < used.length; q++) {
                gain -= claimPrice[q] * Math.max(quotas.get(q).retained(), used[q]);
                gain = used[q] > quotas.get(q).max() ? Double.NEGATIVE_INFINITY : gain;
            }
            return gain;
        }
    }

    @ParameterizedTest(name = "1,000 examples from seed {0}")
    @ValueSource(longs = {0, 1000})
    void findsTheBestDecision(long first) {
        for (long seed = first; seed < first + 1000; seed++) {
            Example example = new Example(seed);

            Knapsack.KnapsackSolution solution = example.solve(WIDE);

            double best = example.best();
            assertThat(solution.bound()).as("bound, seed %d", seed).isCloseTo(best, within());
            assertThat(solution.choice()).as("seed %d", seed).isNotNull();
            assertThat(example.gain(solution.choice()))
                    .as("gain, seed %d", seed)
                    .isCloseTo(best, within());
        }
    }

    @ParameterizedTest(name = "with {0} states")
    @ValueSource(ints = {1, 3})
    void withFewStatesTheBoundStillHoldsAndADecisionKeepsToTheQuotas(int width) {
        for (long seed = 0; seed < 1000; seed++) {
            Example example = new Example(seed);

            Knapsack.KnapsackSolution solution = example.solve(width);

            assertThat(solution.bound()).as("seed %d", seed).isGreaterThanOrEqualTo(example.best() - 1e-9);
            assertThat(solution.relaxationValue()).as("seed %d", seed).isGreaterThanOrEqualTo(solution.bound());
            if (solution.choice() != null) {
                assertThat(example.gain(solution.choice())).as("seed %d", seed).isGreaterThan(Double.NEGATIVE_INFINITY);
            }
        }
    }

    @Test
    void whatTheLastCallLearntDoesNotChangeTheBestDecision() {
        Example example = new Example(7);
        Knapsack knapsack = example.knapsack();
        double[] other = Arrays.stream(example.value).map(v -> 3 * v).toArray();
        knapsack.solve(other, example.claimPrice, WIDE);

        assertThat(knapsack.solve(example.value, example.claimPrice, WIDE).bound())
                .isCloseTo(example.best(), within());
    }

    @Test
    void aKnapsackThatARelaxationWouldOverfillIsFilledWithWholeJobs() {
        // jobs of 8, 5 and 3 slots worth 10.5, 6.4 and 3.9 on 7 slots: only 5 fits with nothing else
        Knapsack knapsack = Knapsack.of(
                        List.of(new Knapsack.Quota(7, 0)),
                        List.of(),
                        new int[] {0, 2, 4, 6},
                        new int[] {-1, -1, -1},
                        new int[] {-1, 0, -1, 0, -1, 0},
                        new int[] {0, 8, 0, 5, 0, 3})
                .orElseThrow();

        Knapsack.KnapsackSolution solution =
                knapsack.solve(new double[] {0, 10.5, 0, 6.4, 0, 3.9}, new double[] {0}, WIDE);

        assertThat(solution.bound()).isCloseTo(6.4, within());
        assertThat(solution.choice()).containsExactly(0, 3, 4);
        assertThat(solution.relaxationValue()).isGreaterThan(8.9);
    }

    @Test
    void aCapOnJobsLetsTheOneRunThatGainsMost() {
        Knapsack knapsack = Knapsack.of(
                        List.of(),
                        List.of(new Knapsack.Cap(Long.MAX_VALUE, 1)),
                        new int[] {0, 2, 4, 6},
                        new int[] {0, 0, -1},
                        new int[] {-1, -1, -1, -1, -1, -1},
                        new int[] {0, 4, 0, 4, 0, 4})
                .orElseThrow();

        Knapsack.KnapsackSolution solution = knapsack.solve(new double[] {0, 2, 0, 3, 0, 1}, new double[0], WIDE);

        assertThat(solution.bound()).isCloseTo(4, within());
        assertThat(solution.choice()).containsExactly(0, 3, 5);
    }

    @Test
    void aCapOnSlotsIsFilledWithWholeJobs() {
        Knapsack knapsack = Knapsack.of(
                        List.of(),
                        List.of(new Knapsack.Cap(7, 2)),
                        new int[] {0, 2, 4, 6},
                        new int[] {0, 0, 0},
                        new int[] {-1, -1, -1, -1, -1, -1},
                        new int[] {0, 8, 0, 5, 0, 3})
                .orElseThrow();

        Knapsack.KnapsackSolution solution =
                knapsack.solve(new double[] {0, 10.5, 0, 6.4, 0, 3.9}, new double[0], WIDE);

        assertThat(solution.choice()).containsExactly(0, 3, 4);
    }

    @Test
    void manySmallCapsAreHeldWhereALargeOneIsNot() {
        // 40 jobs of 512 slots: 15 bits for each of three quotas, 15 and 6 for a cap of all jobs, 12 and 3 for one of
        // four
        assertThat(fortyJobs(10)).isPresent();
        assertThat(fortyJobs(1)).isEmpty();
    }

    private static Optional<Knapsack> fortyJobs(int caps) {
        int jobs = 40;
        List<Knapsack.Quota> quotas = Collections.nCopies(3, new Knapsack.Quota(100, 0));
        int[] start = IntStream.rangeClosed(0, jobs).map(j -> 4 * j).toArray();
        int[] quota = IntStream.range(0, 4 * jobs).map(a -> a % 4 - 1).toArray();
        int[] slots = IntStream.of(quota).map(q -> q < 0 ? 0 : 512).toArray();
        return Knapsack.of(
                quotas,
                Collections.nCopies(caps, new Knapsack.Cap(1024, 2)),
                start,
                IntStream.range(0, jobs).map(j -> j % caps).toArray(),
                quota,
                slots);
    }

    private static Offset<Double> within() {
        return Offset.offset(1e-9);
    }
}
