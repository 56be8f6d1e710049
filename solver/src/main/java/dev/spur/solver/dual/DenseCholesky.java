package dev.spur.solver.dual;

/**
 * Cholesky factor of a symmetric positive definite matrix, of which the lower triangle is given. Rows are eliminated in
 * a given order; blocks of zeros that this order leaves are skipped.
 */
final class DenseCholesky {
    /** Relative pivot below which a row counts as dependent on the others; its unknown becomes about 0. */
    private static final double DEPENDENT = 1e-13;

    private static final double HUGE = 1e10;
    /** Number of columns that are factored before the others are updated. */
    private static final int BLOCK = 4;
    /** Relative increase of the diagonal, against rounding errors. */
    private static final double REGULARIZATION = 1e-11;

    private final int size;
    private final int[] order;
    private final double[][] factor;
    private final double[] scale;
    private final double[] ordered;
    /** Copies of the columns of the current block. */
    private final double[][] columns;

    /** @param order rows in the order of elimination */
    DenseCholesky(int[] order) {
        this.size = order.length;
        this.order = order.clone();
        this.ordered = new double[size];
        this.factor = new double[size][];
        this.scale = new double[size];
        this.columns = new double[BLOCK][size];
        for (int i = 0; i < size; i++) {
            factor[i] = new double[i + 1];
        }
    }

    /** Factors {@code matrix} (lower triangle), scaled to a diagonal of 1. */
    void factor(double[][] matrix) {
        for (int i = 0; i < size; i++) {
            scale[i] = 1 / Math.sqrt(Math.max(matrix[order[i]][order[i]], 1e-300));
        }
        for (int i = 0; i < size; i++) {
            double[] row = factor[i];
            int from = order[i];
            double si = scale[i];
            for (int k = 0; k < i; k++) {
                int to = order[k];
                row[k] = (from > to ? matrix[from][to] : matrix[to][from]) * si * scale[k];
            }
            row[i] = 1 + REGULARIZATION;
        }
        for (int j = 0; j < size; j += BLOCK) {
            int end = Math.min(size, j + BLOCK);
            factorBlock(j, end);
            if (end < size) {
                update(j, end);
            }
        }
    }

    /** Factors columns {@code from} to {@code to} of all rows, whose earlier columns are already subtracted. */
    private void factorBlock(int from, int to) {
        for (int i = from; i < size; i++) {
            double[] row = factor[i];
            int last = Math.min(i, to);
            for (int k = from; k < last; k++) {
                double[] other = factor[k];
                double sum = row[k];
                for (int q = from; q < k; q++) {
                    sum -= row[q] * other[q];
                }
                row[k] = sum / other[k];
            }
            if (i < to) {
                double pivot = row[i];
                for (int q = from; q < i; q++) {
                    pivot -= row[q] * row[q];
                }
                row[i] = pivot < DEPENDENT ? HUGE : Math.sqrt(pivot);
            }
        }
    }

    /** Subtracts the products of a full block of columns from all later ones; loops without sums, which vectorize. */
    private void update(int from, int to) {
        boolean zerosBegan = false;
        int gapStart = size;
        int gapEnd = size;
        for (int i = to; i < size; i++) {
            boolean zero = true;
            for (int b = 0; b < BLOCK; b++) {
                columns[b][i] = factor[i][from + b];
                zero &= columns[b][i] == 0;
            }
            if (zero && !zerosBegan) {
                zerosBegan = true;
                gapStart = i;
            } else if (!zero && zerosBegan && gapEnd == size) {
                gapEnd = i;
            }
        }
        double[] c0 = columns[0];
        double[] c1 = columns[1];
        double[] c2 = columns[2];
        double[] c3 = columns[3];
        for (int i = to; i < size; i++) {
            double[] row = factor[i];
            double f0 = c0[i];
            double f1 = c1[i];
            double f2 = c2[i];
            double f3 = c3[i];
            if (f0 == 0 && f1 == 0 && f2 == 0 && f3 == 0) {
                continue;
            }
            int firstEnd = Math.min(i + 1, gapStart);
            for (int k = to; k < firstEnd; k++) {
                row[k] -= f0 * c0[k] + f1 * c1[k] + f2 * c2[k] + f3 * c3[k];
            }
            for (int k = gapEnd; k <= i; k++) {
                row[k] -= f0 * c0[k] + f1 * c1[k] + f2 * c2[k] + f3 * c3[k];
            }
        }
    }

    /** Writes the solution for {@code right} into {@code solution}. */
    void solve(double[] right, double[] solution) {
        double[] x = ordered;
        for (int i = 0; i < size; i++) {
            x[i] = (right[order[i]] * scale[i] - dot(factor[i], x, i)) / factor[i][i];
        }
        for (int i = size - 1; i >= 0; i--) {
            double[] row = factor[i];
            x[i] /= row[i];
            double value = x[i];
            for (int k = 0; k < i; k++) {
                x[k] -= row[k] * value;
            }
        }
        for (int i = 0; i < size; i++) {
            solution[order[i]] = x[i] * scale[i];
        }
    }

    private static double dot(double[] a, double[] b, int length) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int k = 0;
        for (; k + 3 < length; k += 4) {
            s0 += a[k] * b[k];
            s1 += a[k + 1] * b[k + 1];
            s2 += a[k + 2] * b[k + 2];
            s3 += a[k + 3] * b[k + 3];
        }
        for (; k < length; k++) {
            s0 += a[k] * b[k];
        }
        return s0 + s1 + s2 + s3;
    }
}
