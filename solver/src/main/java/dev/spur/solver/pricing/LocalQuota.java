package dev.spur.solver.pricing;

import java.util.List;

/**
 * Quota that binds only the jobs of one subproblem.
 *
 * @param row row of the used slots, used <= most
 * @param most maximum number of slots of these jobs together
 * @param kept reserved slots, claimed from the accounts above even if fewer are used
 * @param counts rows of the accounts above in which claims count; empty if the claim is constant
 */
record LocalQuota(int row, int most, int kept, List<Integer> counts) {
    LocalQuota {
        counts = List.copyOf(counts);
    }

    /** Returns the claim on the accounts above for {@code slots} in use. */
    int claim(int slots) {
        return Math.max(kept, slots);
    }

    /** Returns the price of a claimed slot. */
    double price(double[] prices) {
        double sum = 0;
        for (int r : counts) {
            sum += prices[r];
        }
        return sum;
    }
}
