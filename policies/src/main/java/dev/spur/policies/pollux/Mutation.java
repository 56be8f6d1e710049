package dev.spur.policies.pollux;

import java.util.SplittableRandom;

/**
 * Small changes of a plan at random: a few rows go back to what their jobs have, a few entries are emptied, and what is
 * then free on a node goes to about one job that is there and one of all. A full node stays as it is, so that most of
 * what parents found lives on in their children.
 *
 * <p>Source: the authors' simulator (petuum/adaptdl, branch osdi21-artifact).
 */
final class Mutation {
    /** Chance that a row goes back to what the job has now. */
    private static final double RESET = 0.1;
    /** Chance that entries of a row are emptied, and the chance of each of them then. */
    private static final double EMPTY = 0.1;

    private final PolluxProblem problem;
    private final SplittableRandom random;

    Mutation(PolluxProblem problem, SplittableRandom random) {
        this.problem = problem;
        this.random = random;
    }

    /** Changes {@code plan}; a node may be left with more slots in use than it has. */
    void change(int[][] plan) {
        for (int row = 0; row < plan.length; row++) {
            if (random.nextDouble() < RESET) {
                plan[row] = problem.present(row).clone();
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
            double there = own[column] > 0 ? 1.0 / sharers : 0;
            if (random.nextDouble() < any + there - any * there) {
                own[column] = random.nextInt(own[column], problem.capacity(column) + 1);
            }
        }
    }
}
