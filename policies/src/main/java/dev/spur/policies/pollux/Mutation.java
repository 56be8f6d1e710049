package dev.spur.policies.pollux;

import java.util.SplittableRandom;

/**
 * Random mutation of a plan. A few rows return to the current allocation of their job, and a few entries are cleared.
 * The free slots of a node then go to about one job on that node and one of all jobs. A full node stays as it is, so
 * that most of the parents' plan survives.
 *
 * <p>Source: the authors' simulator (petuum/adaptdl, branch osdi21-artifact).
 */
final class Mutation {
    /** Probability that a row returns to the job's current allocation. */
    private static final double RESET = 0.1;
    /** Probability that entries of a row are cleared, and the probability for each of its entries then. */
    private static final double EMPTY = 0.1;

    private final PolluxProblem problem;
    private final SplittableRandom random;

    Mutation(PolluxProblem problem, SplittableRandom random) {
        this.problem = problem;
        this.random = random;
    }

    /** Mutates {@code plan}; nodes may then exceed their slots. */
    void change(int[][] plan) {
        for (int row = 0; row < plan.length; row++) {
            if (random.nextDouble() < RESET) {
                plan[row] = problem.current(row).clone();
            }
            if (random.nextDouble() < EMPTY) {
                emptySome(plan[row]);
            }
        }
        int[] used = new int[problem.columns()];
        int[] sharers = new int[problem.columns()];
        for (int[] own : plan) {
            for (int column = 0; column < own.length; column++) {
                used[column] += own[column];
                sharers[column] += own[column] > 0 ? 1 : 0;
            }
        }
        for (int column = 0; column < used.length; column++) {
            if (used[column] < problem.capacity(column)) {
                growSome(plan, column, sharers[column]);
            }
        }
    }

    private void emptySome(int[] own) {
        for (int column = 0; column < own.length; column++) {
            if (own[column] > 0 && random.nextDouble() < EMPTY) {
                own[column] = 0;
            }
        }
    }

    private void growSome(int[][] plan, int column, int sharers) {
        double any = 1.0 / plan.length;
        for (int[] own : plan) {
            double retained = own[column] > 0 ? 1.0 / sharers : 0;
            if (random.nextDouble() < any + retained - any * retained) {
                own[column] = random.nextInt(own[column], problem.capacity(column) + 1);
            }
        }
    }
}
