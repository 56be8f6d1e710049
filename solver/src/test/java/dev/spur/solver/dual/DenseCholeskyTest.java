package dev.spur.solver.dual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DenseCholeskyTest {
    /** Structures of entries other than the diagonal. */
    private static final List<BiPredicate<Integer, Integer>> STRUCTURES = List.of(
            (r, q) -> true,
            (r, q) -> (r * 31 + q * 17) % 7 == 0,
            (r, q) -> false,
            // arrowhead: the last rows, or the first ones, are full
            (r, q) -> r >= 20,
            (r, q) -> q < 3,
            // blocks of five rows, alone or with full last rows
            (r, q) -> r / 5 == q / 5,
            (r, q) -> r / 5 == q / 5 || r >= 23,
            (r, q) -> r - q < 3,
            (r, q) -> r - q < 2 || r - q == 11);

    /**
     * Returns the lower triangle of a matrix with the given structure whose diagonal dominates, with rows of different
     * scale.
     */
    private static double[][] matrix(Random random, int size, BiPredicate<Integer, Integer> structure) {
        double[] scale = random.doubles(size, 0.01, 100).toArray();
        double[][] matrix = new double[size][];
        double[] sum = new double[size];
        for (int r = 0; r < size; r++) {
            matrix[r] = new double[r + 1];
            for (int q = 0; q < r; q++) {
                double entry = structure.test(r, q) ? 2 * random.nextDouble() - 1 : 0;
                matrix[r][q] = entry * scale[r] * scale[q];
                sum[r] += Math.abs(entry);
                sum[q] += Math.abs(entry);
            }
        }
        for (int r = 0; r < size; r++) {
            matrix[r][r] = (sum[r] + 0.1) * scale[r] * scale[r];
        }
        return matrix;
    }

    private static double[] product(double[][] matrix, double[] x) {
        double[] product = new double[x.length];
        for (int r = 0; r < x.length; r++) {
            for (int q = 0; q <= r; q++) {
                product[r] += matrix[r][q] * x[q];
                product[q] += q < r ? matrix[r][q] * x[r] : 0;
            }
        }
        return product;
    }

    private static int[] shuffled(Random random, int size) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, size).boxed().toList());
        Collections.shuffle(order, random);
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    @Test
    void solvesPositiveDefiniteSystemsOfAnyStructureSizeAndOrder() {
        Random random = new Random(1);
        for (int structure = 0; structure < STRUCTURES.size(); structure++) {
            for (int size = 1; size <= 30; size++) {
                int[] given = IntStream.range(0, size).toArray();
                for (int[] order : List.of(given, shuffled(random, size))) {
                    double[][] matrix = matrix(random, size, STRUCTURES.get(structure));
                    double[] x = random.doubles(size, -1, 1).toArray();
                    DenseCholesky cholesky = new DenseCholesky(order);
                    double[] solution = new double[size];

                    cholesky.factor(matrix);
                    cholesky.solve(product(matrix, x), solution);

                    for (int r = 0; r < size; r++) {
                        assertThat(solution[r])
                                .as("structure %d, size %d, row %d", structure, size, r)
                                .isCloseTo(x[r], within(1e-7));
                    }
                }
            }
        }
    }

    /** Zeros of the last matrix must not remain in the next factor. */
    @Test
    void aLaterMatrixReplacesTheFactor() {
        Random random = new Random(2);
        DenseCholesky cholesky = new DenseCholesky(IntStream.range(0, 13).toArray());
        for (int trial = 0; trial < 20; trial++) {
            double[][] matrix = matrix(random, 13, STRUCTURES.get(trial % STRUCTURES.size()));
            double[] x = random.doubles(13, -1, 1).toArray();
            double[] solution = new double[13];

            cholesky.factor(matrix);
            cholesky.solve(product(matrix, x), solution);

            assertThat(solution).containsExactly(x, within(1e-7));
        }
    }

    /** The product of a matrix with fewer columns than rows has dependent rows. */
    @Test
    void solvesConsistentSemidefiniteSystems() {
        Random random = new Random(3);
        for (int trial = 0; trial < 50; trial++) {
            int size = 2 + random.nextInt(12);
            int rank = 1 + random.nextInt(size);
            double[][] half = new double[size][];
            for (int r = 0; r < size; r++) {
                half[r] = random.doubles(rank, -1, 1).toArray();
            }
            double[][] matrix = new double[size][];
            for (int r = 0; r < size; r++) {
                matrix[r] = new double[r + 1];
                for (int q = 0; q <= r; q++) {
                    for (int k = 0; k < rank; k++) {
                        matrix[r][q] += half[r][k] * half[q][k];
                    }
                }
            }
            double[] right = product(matrix, random.doubles(size, -1, 1).toArray());
            DenseCholesky cholesky = new DenseCholesky(shuffled(random, size));
            double[] solution = new double[size];

            cholesky.factor(matrix);
            cholesky.solve(right, solution);

            assertThat(product(matrix, solution)).as("trial %d", trial).containsExactly(right, within(1e-4));
        }
    }

    /** Rounding makes the pivot of the second row negative. */
    @Test
    void theUnknownOfADependentRowIsAboutZero() {
        double[][] matrix = {{1}, {1 + 1e-9, 1}, {0, 0, 4}};
        double[] solution = new double[3];
        DenseCholesky cholesky = new DenseCholesky(new int[] {0, 1, 2});

        cholesky.factor(matrix);
        cholesky.solve(new double[] {1, 1, 8}, solution);

        assertThat(solution).containsExactly(new double[] {1, 0, 2}, within(1e-8));
    }
}
