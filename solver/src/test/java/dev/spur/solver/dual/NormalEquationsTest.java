package dev.spur.solver.dual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The Newton system over prices, set variables and members, of which the normal equations are the elimination. A is the
 * use, D is x / z, and E adds up the members of a set: E * dx = 0, and dx = h - D * (E' * dtheta + A' * dp).
 */
class NormalEquationsTest {
    private static final double CLOSE = 1e-6;

    /** A point inside the positive orthant, with the right-hand sides of the members and of the rows. */
    private static final class Point {
        private final GubProgram program;
        private final double[] x;
        private final double[] z;
        private final double[] p;
        private final double[] s;
        private final double[] e;
        private final double[] y;
        private final double[] h;
        private final double[] right;

        Point(GubProgram program, Random random) {
            this.program = program;
            this.x = positive(random, program.members());
            this.z = positive(random, program.members());
            this.p = positive(random, program.rows);
            this.s = positive(random, program.rows);
            this.e = positive(random, program.rows);
            this.y = positive(random, program.rows);
            this.h = random.doubles(program.members(), -1, 1).toArray();
            this.right = random.doubles(program.rows, -1, 1).toArray();
        }

        private static double[] positive(Random random, int size) {
            return random.doubles(size, 0.1, 2).toArray();
        }

        double[] use(double[] members) {
            double[] use = new double[program.rows];
            for (int m = 0; m < members.length; m++) {
                for (int k = program.start[m]; k < program.start[m + 1]; k++) {
                    use[program.row[k]] += program.amount[k] * members[m];
                }
            }
            return use;
        }
    }

    @ParameterizedTest
    @EnumSource
    void solveTheNewtonSystem(RandomGubPrograms kind) {
        for (long seed = 0; seed < 50; seed++) {
            solves(new Point(kind.program(seed), new Random(seed)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ALL_SETS", "RESTARTS"})
    void solveTheNewtonSystemOfAProgramInTwoParts(RandomGubPrograms kind) {
        solves(new Point(HessianPartTest.large(kind), new Random(1)));
    }

    private static void solves(Point at) {
        GubProgram program = at.program;
        NormalEquations equations = new NormalEquations(program);
        double[] residual = new double[program.rows];
        double[] theta = new double[program.sets];
        double[] dx = at.h.clone();
        double[] dp = new double[program.rows];
        double[] usePrice = new double[program.members()];
        double[] right = at.right.clone();

        equations.build(at.x, at.z, residual);
        equations.factor(at.p, at.s, at.e, at.y);
        for (int i = 0; i < program.sets; i++) {
            theta[i] =
                    Arrays.stream(at.h, program.first[i], program.first[i + 1]).sum() / equations.sum(i);
        }
        HessianPart.Range all = new HessianPart.Range(0, program.sets);
        equations.addUse(all, at.h, theta, right);
        equations.solve(right, dp);
        equations.expand(all, dp, theta, dx, usePrice);

        double large = CLOSE * Math.max(1, program.members() / 100.0);
        double[] used = at.use(at.x);
        double[] moved = at.use(dx);
        for (int r = 0; r < program.rows; r++) {
            double diagonal = at.s[r] / at.p[r] + at.e[r] / at.y[r];
            assertThat(residual[r]).as("residual of row %d", r).isCloseTo(-used[r], within(large));
            assertThat(diagonal * dp[r]).as("row %d", r).isCloseTo(at.right[r] + moved[r], within(large));
        }
        for (int i = 0; i < program.sets; i++) {
            double sum = 0;
            for (int m = program.first[i]; m < program.first[i + 1]; m++) {
                double price = program.value[m] - program.reducedValue(m, dp);
                assertThat(usePrice[m]).isCloseTo(price, within(large));
                assertThat(dx[m])
                        .as("member %d", m)
                        .isCloseTo(at.h[m] - at.x[m] / at.z[m] * (theta[i] + price), within(large));
                sum += dx[m];
            }
            assertThat(sum).as("total of set %d", i).isCloseTo(0, within(large));
        }
    }
}
