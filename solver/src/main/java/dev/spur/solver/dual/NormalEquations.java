package dev.spur.solver.dual;

/**
 * Normal equations of the interior-point method over the coupling rows, after elimination of the sets.
 *
 * <p>With D = x / z by member, S the sum of D and M the sum of D * A in each set, the matrix is the sum of D * A * A'
 * minus the sum of M * M' / S, plus the diagonal of the rows.
 */
final class NormalEquations {
    private final GubProgram program;
    private final HessianPart[] parts;
    private final double[] weight;
    private final double[] sum;
    private final DenseCholesky cholesky;

    NormalEquations(GubProgram program) {
        this.program = program;
        this.parts = HessianPart.of(program);
        this.weight = new double[program.members()];
        this.sum = new double[program.sets];
        this.cholesky = new DenseCholesky(program.rows);
    }

    /** Returns S of set {@code i}. */
    double sum(int i) {
        return sum[i];
    }

    /** Returns the number of parts into which the sets are divided. */
    int parts() {
        return parts.length;
    }

    /** Builds the matrix without its diagonal part, and subtracts the use by {@code x} from {@code residual}. */
    void build(double[] x, double[] z, double[] residual) {
        HessianPart.addUp(parts, program, (part, i) -> {
            double s = 0;
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double d = x[m] / z[m];
                weight[m] = d;
                s += d;
                part.subtractUse(m, x[m]);
                part.addMember(m, d, d);
            }
            sum[i] = s;
            part.endSet(1 / s, 0);
        });
        for (int r = 0; r < residual.length; r++) {
            residual[r] += parts[0].vector[r];
        }
    }

    /** Adds the diagonal of slacks and excess, and factors the matrix. */
    void factor(double[] p, double[] s, double[] e, double[] y) {
        double[][] matrix = parts[0].matrix;
        for (int r = 0; r < program.rows; r++) {
            matrix[r][r] += s[r] / p[r] + e[r] / y[r];
        }
        cholesky.factor(matrix);
    }

    /** Adds the use by {@code h} minus {@code k} * D, where k is given by set, to {@code right}. */
    void addUse(double[] h, double[] k, double[] right) {
        double[][] sums = new double[parts.length][];
        HessianPart.forEachRange(parts.length, program, (part, range) -> {
            double[] own = new double[right.length];
            for (int i = range.from(); i < range.to(); i++) {
                for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                    double v = h[m] - k[i] * weight[m];
                    for (int q = program.start[m]; q < program.start[m + 1]; q++) {
                        own[program.row[q]] += program.amount[q] * v;
                    }
                }
            }
            sums[part] = own;
        });
        for (double[] own : sums) {
            for (int r = 0; r < right.length; r++) {
                right[r] += own[r];
            }
        }
    }

    void solve(double[] right, double[] prices) {
        cholesky.solve(right, prices);
    }

    /** Expands the direction {@code dp} of prices to the members: their use of it, and their own direction. */
    void expand(double[] dp, double[] theta, double[] x, double[] use) {
        HessianPart.forEachRange(parts.length, program, (part, range) -> expand(range, dp, theta, x, use));
    }

    private void expand(HessianPart.Range range, double[] dp, double[] theta, double[] x, double[] use) {
        for (int i = range.from(); i < range.to(); i++) {
            double weighted = 0;
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double v = 0;
                for (int k = program.start[m]; k < program.start[m + 1]; k++) {
                    v += program.amount[k] * dp[program.row[k]];
                }
                use[m] = v;
                weighted += weight[m] * v;
            }
            double t = theta[i] - weighted / sum[i];
            theta[i] = t;
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                x[m] -= weight[m] * (t + use[m]);
            }
        }
    }
}
