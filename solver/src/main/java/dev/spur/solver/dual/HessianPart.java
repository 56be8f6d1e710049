package dev.spur.solver.dual;

import dev.spur.solver.candidate.ParallelLoop;
import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * Sum of outer products over some sets of a {@link GubProgram}, with a vector over its rows. The sets are divided into
 * the same two parts on every machine; two threads add up one part each, and the sum does not depend on their number.
 */
final class HessianPart {
    private static final int PARTS = 2;
    /** Number of members below which a second thread costs more than it saves. */
    private static final int WORTH_PARALLEL = 20_000;

    private final GubProgram program;
    /** Lower triangle. */
    final double[][] matrix;

    final double[] vector;
    /** Value of the sets of this part, for the caller. */
    double exact;

    double smooth;
    private final double[] mean;
    private final boolean[] used;
    private final int[] touched;
    private int touchedRows;
    private double[] values = new double[256];

    private HessianPart(GubProgram program) {
        this.program = program;
        this.matrix = new double[program.rows][];
        for (int r = 0; r < program.rows; r++) {
            matrix[r] = new double[r + 1];
        }
        this.vector = new double[program.rows];
        this.mean = new double[program.rows];
        this.used = new boolean[program.rows];
        this.touched = new int[program.rows];
    }

    /** Returns the parts of a sum over all sets. */
    static HessianPart[] of(GubProgram program) {
        HessianPart[] parts = new HessianPart[program.members() < WORTH_PARALLEL ? 1 : PARTS];
        Arrays.setAll(parts, i -> new HessianPart(program));
        return parts;
    }

    /** Calls {@code work} with each part and each of its sets, and adds all parts to the first one. */
    static void addUp(HessianPart[] parts, GubProgram program, BiConsumer<HessianPart, Integer> work) {
        forEachRange(parts.length, program, (part, range) -> {
            parts[part].clear();
            for (int i = range.from(); i < range.to(); i++) {
                work.accept(parts[part], i);
            }
        });
        for (int p = 1; p < parts.length; p++) {
            parts[0].add(parts[p]);
        }
    }

    /** Range of sets. */
    record Range(int from, int to) {}

    /** Calls {@code work} with the range of sets of each of {@code parts} parts, in parallel. */
    static void forEachRange(int parts, GubProgram program, BiConsumer<Integer, Range> work) {
        if (parts == 1) {
            work.accept(0, new Range(0, program.sets));
            return;
        }
        int middle = program.middle();
        ParallelLoop.each(
                parts, part -> work.accept(part, part == 0 ? new Range(0, middle) : new Range(middle, program.sets)));
    }

    private void clear() {
        for (double[] line : matrix) {
            Arrays.fill(line, 0);
        }
        Arrays.fill(vector, 0);
        exact = 0;
        smooth = 0;
    }

    private void add(HessianPart other) {
        for (int r = 0; r < vector.length; r++) {
            double[] line = matrix[r];
            double[] own = other.matrix[r];
            for (int k = 0; k <= r; k++) {
                line[k] += own[k];
            }
            vector[r] += other.vector[r];
        }
        exact += other.exact;
        smooth += other.smooth;
    }

    /** Adds {@code weight} times column {@code m} to the mean of the set, and {@code factor} times its square. */
    void addMember(int m, double weight, double factor) {
        int[] row = program.row;
        double[] amount = program.amount;
        int from = program.start[m];
        int to = program.start[m + 1];
        for (int k = from; k < to; k++) {
            int r = row[k];
            mean[r] += weight * amount[k];
            if (!used[r]) {
                used[r] = true;
                touched[touchedRows++] = r;
            }
            if (factor != 0) {
                double v = factor * amount[k];
                double[] line = matrix[r];
                for (int other = from; other <= k; other++) {
                    int q = row[other];
                    if (q <= r) {
                        line[q] += v * amount[other];
                    } else {
                        matrix[q][r] += v * amount[other];
                    }
                }
            }
        }
    }

    /** Subtracts {@code factor} times the square of the mean, and {@code share} times the mean from the vector. */
    void endSet(double factor, double share) {
        for (int t = 0; t < touchedRows; t++) {
            int r = touched[t];
            vector[r] -= share * mean[r];
            if (factor != 0) {
                double v = factor * mean[r];
                double[] line = matrix[r];
                for (int u = 0; u < touchedRows; u++) {
                    if (touched[u] <= r) {
                        line[touched[u]] -= v * mean[touched[u]];
                    }
                }
            }
        }
        for (int t = 0; t < touchedRows; t++) {
            mean[touched[t]] = 0;
            used[touched[t]] = false;
        }
        touchedRows = 0;
    }

    /** Returns an array for at least {@code count} values of the current set. */
    double[] values(int count) {
        if (count > values.length) {
            values = new double[2 * count];
        }
        return values;
    }

    /** Subtracts {@code weight} times column {@code m} from the vector. */
    void subtractUse(int m, double weight) {
        for (int k = program.start[m]; k < program.start[m + 1]; k++) {
            vector[program.row[k]] -= weight * program.amount[k];
        }
    }
}
