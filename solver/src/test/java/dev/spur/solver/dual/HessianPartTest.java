package dev.spur.solver.dual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HessianPartTest {
    /** Weights of members and of sets in an arbitrary sum over all sets. */
    private static final class Weights {
        private final double[] mean;
        private final double[] square;
        private final double[] use;
        private final double[] setMean;
        private final double[] setSquare;

        Weights(GubProgram program, Random random) {
            mean = random.doubles(program.members()).toArray();
            square = someZero(random, program.members());
            use = random.doubles(program.members()).toArray();
            setMean = random.doubles(program.sets).toArray();
            setSquare = someZero(random, program.sets);
        }

        private static double[] someZero(Random random, int size) {
            return random.doubles(size, -0.5, 1).map(f -> Math.max(0, f)).toArray();
        }

        HessianPart[] sum(GubProgram program) {
            HessianPart[] parts = HessianPart.of(program);
            // The second sum must not depend on the first one.
            for (int repeat = 0; repeat < 2; repeat++) {
                HessianPart.addUp(parts, program, (part, i) -> {
                    for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                        part.addMember(m, mean[m], square[m]);
                        part.subtractUse(m, use[m]);
                        part.exact += use[m];
                        part.smooth += mean[m];
                    }
                    part.endSet(setSquare[i], setMean[i]);
                });
            }
            return parts;
        }
    }

    private static double[] column(GubProgram program, int m) {
        double[] column = new double[program.rows];
        for (int k = program.start[m]; k < program.start[m + 1]; k++) {
            column[program.row[k]] = program.amount[k];
        }
        return column;
    }

    private static void isTheDenseSum(GubProgram program, Weights weights, HessianPart sum) {
        int rows = program.rows;
        double[][] matrix = new double[rows][rows];
        double[] vector = new double[rows];
        double exact = 0;
        double smooth = 0;
        for (int i = 0; i < program.sets; i++) {
            double[] mean = new double[rows];
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double[] column = column(program, m);
                addSquare(matrix, column, weights.square[m]);
                for (int r = 0; r < rows; r++) {
                    mean[r] += weights.mean[m] * column[r];
                    vector[r] -= weights.use[m] * column[r];
                }
                exact += weights.use[m];
                smooth += weights.mean[m];
            }
            addSquare(matrix, mean, -weights.setSquare[i]);
            for (int r = 0; r < rows; r++) {
                vector[r] -= weights.setMean[i] * mean[r];
            }
        }
        double large = 1e-12 * (1 + program.members()) * program.members();
        assertThat(sum.exact).isCloseTo(exact, within(large));
        assertThat(sum.smooth).isCloseTo(smooth, within(large));
        for (int r = 0; r < rows; r++) {
            assertThat(sum.vector[r]).as("row %d", r).isCloseTo(vector[r], within(large));
            for (int q = 0; q <= r; q++) {
                assertThat(sum.matrix[r][q]).as("rows %d and %d", r, q).isCloseTo(matrix[r][q], within(large));
            }
        }
    }

    private static void addSquare(double[][] matrix, double[] column, double factor) {
        for (int r = 0; r < column.length; r++) {
            for (int q = 0; q < column.length; q++) {
                matrix[r][q] += factor * column[r] * column[q];
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void addsUpSquaresAndMeansOfAllSets(RandomGubPrograms kind) {
        for (long seed = 0; seed < 50; seed++) {
            GubProgram program = kind.program(seed);
            Weights weights = new Weights(program, new Random(seed));

            isTheDenseSum(program, weights, weights.sum(program)[0]);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ALL_SETS", "UNUSED_ROWS"})
    void addsUpTheSameInTwoParts(RandomGubPrograms kind) {
        GubProgram program = large(kind);
        Weights weights = new Weights(program, new Random(5));
        HessianPart[] parts = weights.sum(program);

        assertThat(parts).hasSize(2);
        isTheDenseSum(program, weights, parts[0]);
    }

    @Test
    void theSumDoesNotDependOnTheNumberOfThreads() {
        GubProgram program = large(RandomGubPrograms.ALL_SETS);
        Weights weights = new Weights(program, new Random(6));
        List<HessianPart> sums = new ArrayList<>();
        for (int threads = 1; threads <= 2; threads++) {
            ForkJoinPool pool = new ForkJoinPool(threads);
            sums.add(pool.submit(() -> weights.sum(program)[0]).join());
            pool.shutdown();
        }

        assertThat(sums.get(1).matrix).isDeepEqualTo(sums.get(0).matrix);
        assertThat(sums.get(1).vector).isEqualTo(sums.get(0).vector);
        assertThat(sums.get(1).exact).isEqualTo(sums.get(0).exact);
    }

    @Test
    void valuesHaveRoomForAnySet() {
        HessianPart part = HessianPart.of(RandomGubPrograms.JOBS.program(1))[0];

        for (int count : new int[] {1, 256, 257, 5_000}) {
            assertThat(part.values(count)).hasSizeGreaterThanOrEqualTo(count);
        }
    }

    /** Returns a program with more members than one thread takes. */
    static GubProgram large(RandomGubPrograms kind) {
        GubProgram program = kind.program(new Random(4), 1_000, 60);
        assertThat(program.members()).isGreaterThan(20_000);
        return program;
    }
}
