package dev.spur.solver.dual;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Primal and dual variables of a {@link GubProgram}, all above 0 except those of sets. */
final class PrimalDualPoint {
    /** Upper limit of a price, as a multiple of its scale. */
    static final double PRICE_LIMIT = 4;

    final GubProgram program;
    /** Position of each member in the whole program. */
    private final int[] member;
    /** Share of each member, and its distance from the dual constraint. */
    final double[] x;

    final double[] z;
    /** Dual variable of each set. */
    final double[] theta;
    /** Price, slack, excess, and distance of the price from its limit, by row. */
    final double[] p;

    final double[] s;
    final double[] e;
    final double[] y;

    private PrimalDualPoint(GubProgram program, int[] member) {
        this.program = program;
        this.member = member;
        this.x = new double[program.members()];
        this.z = new double[program.members()];
        this.theta = new double[program.sets];
        this.p = new double[program.rows];
        this.s = new double[program.rows];
        this.e = new double[program.rows];
        this.y = new double[program.rows];
    }

    /**
     * Returns the point of the central path with the parameter {@code mu} at {@code prices}.
     *
     * @param prices price by row, above 0 and below {@link #PRICE_LIMIT} times the scale
     */
    static PrimalDualPoint onCentralPath(GubProgram program, double[] prices, double mu) {
        PrimalDualPoint point = new PrimalDualPoint(
                program, IntStream.range(0, program.members()).toArray());
        System.arraycopy(prices, 0, point.p, 0, program.rows);
        for (int i = 0; i < program.sets; i++) {
            point.centerSet(i, mu);
        }
        for (int r = 0; r < program.rows; r++) {
            point.y[r] = PRICE_LIMIT * program.scale[r] - point.p[r];
            point.s[r] = mu / point.p[r];
            point.e[r] = mu / point.y[r];
        }
        return point;
    }

    /** Solves sum of mu / (theta - reduced value) = total for theta by Newton's method on the reciprocal. */
    private void centerSet(int i, double mu) {
        int from = program.first[i];
        int to = program.first[i + 1];
        double total = program.total[i];
        double max = Double.NEGATIVE_INFINITY;
        for (int m = from; m < to; m++) {
            z[m] = program.reducedValue(m, p);
            max = Math.max(max, z[m]);
        }
        double t = max + mu / total;
        for (int step = 0; step < 50; step++) {
            double sum = 0;
            double slope = 0;
            for (int m = from; m < to; m++) {
                double w = mu / (t - z[m]);
                sum += w;
                slope += w * w / mu;
            }
            if (Math.abs(sum - total) < 1e-9 * total) {
                break;
            }
            t += (sum / total - 1) * sum / slope;
        }
        theta[i] = t;
        for (int m = from; m < to; m++) {
            z[m] = t - z[m];
            x[m] = mu / z[m];
        }
        rescale(i);
    }

    private void rescale(int i) {
        double sum = 0;
        for (int m = program.first[i]; m < program.first[i + 1]; m++) {
            sum += x[m];
        }
        double factor = program.total[i] / sum;
        for (int m = program.first[i]; m < program.first[i + 1]; m++) {
            x[m] *= factor;
        }
    }

    /**
     * Returns this point for the members of {@code whole} whose reduced value is within {@code distance} of the best of
     * their set; sets other than jobs keep all members (sifting).
     *
     * @param whole program of which this point has all or some members
     * @param mu mean complementarity product of this point
     */
    PrimalDualPoint siftedFrom(GubProgram whole, double distance, double mu) {
        double[] reduced = new double[whole.members()];
        boolean[] keep = new boolean[whole.members()];
        double[] thetas = theta.clone();
        for (int i = 0; i < whole.sets; i++) {
            double best = Double.NEGATIVE_INFINITY;
            for (int m = whole.first[i]; m < whole.first[i + 1]; m++) {
                reduced[m] = whole.reducedValue(m, p);
                best = Math.max(best, reduced[m]);
            }
            for (int m = whole.first[i]; m < whole.first[i + 1]; m++) {
                keep[m] = whole.kind[i] != GubProgram.SetKind.JOB || best - reduced[m] < distance;
            }
            thetas[i] = Math.max(thetas[i], best + 0.1 * mu / whole.total[i]);
        }
        int[] members = IntStream.range(0, keep.length).filter(m -> keep[m]).toArray();
        PrimalDualPoint point = new PrimalDualPoint(whole.restrictedTo(keep), members);
        System.arraycopy(thetas, 0, point.theta, 0, thetas.length);
        System.arraycopy(p, 0, point.p, 0, p.length);
        System.arraycopy(s, 0, point.s, 0, s.length);
        System.arraycopy(e, 0, point.e, 0, e.length);
        System.arraycopy(y, 0, point.y, 0, y.length);
        int[] position = positions(whole.members());
        int at = 0;
        for (int i = 0; i < whole.sets; i++) {
            for (int m = whole.first[i]; m < whole.first[i + 1]; m++) {
                if (keep[m]) {
                    point.z[at] = thetas[i] - reduced[m];
                    point.x[at] = position[m] >= 0 ? x[position[m]] : Math.min(mu / point.z[at], 0.01);
                    at++;
                }
            }
            point.rescale(i);
        }
        return point;
    }

    /** Returns the position here of each member of the whole program; -1 if it is not here. */
    private int[] positions(int members) {
        int[] position = new int[members];
        Arrays.fill(position, -1);
        for (int m = 0; m < member.length; m++) {
            position[member[m]] = m;
        }
        return position;
    }

    /** Moves along {@code direction}, and rescales the shares of each set to its total. */
    void move(SearchDirection direction, double primal, double dual) {
        for (int r = 0; r < program.rows; r++) {
            s[r] += primal * direction.s[r];
            p[r] += dual * direction.p[r];
            e[r] += primal * direction.e[r];
            y[r] -= dual * direction.p[r];
        }
        for (int i = 0; i < program.sets; i++) {
            theta[i] += dual * direction.theta[i];
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                x[m] += primal * direction.x[m];
                z[m] += dual * (direction.theta[i] + direction.use[m]);
            }
            rescale(i);
        }
    }
}
