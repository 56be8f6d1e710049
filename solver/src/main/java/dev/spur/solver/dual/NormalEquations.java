package dev.spur.solver.dual;

/**
 * Normal equations of the interior-point method over the coupling rows, after elimination of the sets.
 *
 * <p>D is x / z by member. In each set, S is the sum of D, and M is the sum of D * A. The matrix is the sum of D * A *
 * A' minus the sum of M * M' / S, plus the diagonal of the rows.
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
        this.cholesky = new DenseCholesky(EliminationOrder.of(program));
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

    /** Adds the use by {@code h} minus {@code k} * D of the sets of {@code range} to {@code right}; k is by set. */
    void addUse(HessianPart.Range range, double[] h, double[] k, double[] right) {
        for (int i = range.from(); i < range.to(); i++) {
            double factor = k[i];
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double v = h[m] - factor * weight[m];
                for (int q = program.start[m]; q < program.start[m + 1]; q++) {
                    right[program.row[q]] += program.amount[q] * v;
                }
            }
        }
    }

    void solve(double[] right, double[] prices) {
        cholesky.solve(right, prices);
    }

    /**
     * Expands the direction {@code dp} of prices to the members of the sets of {@code range}: their use of it, and
     * their own direction.
     */
    void expand(HessianPart.Range range, double[] dp, double[] theta, double[] x, double[] use) {
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
