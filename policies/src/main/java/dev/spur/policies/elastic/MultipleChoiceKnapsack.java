package dev.spur.policies.elastic;

import java.util.Arrays;
import java.util.List;

/**
 * Multiple-choice knapsack, solved exactly by dynamic programming in O(choices times slots). It takes one choice for
 * each job, uses at most the given slots, and maximizes the sum of values. Source: Saxena et al., arXiv 2006.13878.
 */
public final class MultipleChoiceKnapsack {
    private MultipleChoiceKnapsack() {}

    /**
     * Returns the index of the choice of each job; empty if no combination fits.
     *
     * @param items choices by job; a job that may wait has one of 0 slots. Ties go to the first choice
     * @param slots capacity
     */
    public static int[] solve(List<List<KnapsackItem>> items, int slots) {
        int jobs = items.size();
        double[] best = new double[slots + 1];
        int[][] taken = new int[jobs][slots + 1];
        for (int j = 0; j < jobs; j++) {
            best = add(items.get(j), best, taken[j]);
        }
        int[] chosen = new int[jobs];
        int left = slots;
        for (int j = jobs - 1; j >= 0; j--) {
            chosen[j] = taken[j][left];
            if (chosen[j] < 0) {
                return new int[0];
            }
            left -= items.get(j).get(chosen[j]).slots();
        }
        return chosen;
    }

    private static double[] add(List<KnapsackItem> ownItems, double[] before, int[] taken) {
        double[] after = new double[before.length];
        for (int q = 0; q < before.length; q++) {
            double max = Double.NEGATIVE_INFINITY;
            int best = -1;
            for (int c = 0; c < ownItems.size(); c++) {
                KnapsackItem choice = ownItems.get(c);
                double value =
                        choice.slots() > q ? Double.NEGATIVE_INFINITY : choice.value() + before[q - choice.slots()];
                if (value > max) {
                    max = value;
                    best = c;
                }
            }
            after[q] = max;
            taken[q] = best;
        }
        return after;
    }

    /** Returns the sum of the values of {@code chosen}. */
    public static double value(List<List<KnapsackItem>> items, int[] chosen) {
        double[] values = new double[chosen.length];
        Arrays.setAll(values, j -> items.get(j).get(chosen[j]).value());
        return Arrays.stream(values).sum();
    }
}
