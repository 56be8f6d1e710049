package dev.spur.solver.pricing;

import java.util.List;

/**
 * A quota that binds the jobs of one block and nobody else.
 *
 * @param row the row that says slots <= most
 * @param most slots that the jobs may hold together
 * @param kept slots that are claimed of the accounts above even when fewer are used
 * @param counts rows of the accounts above in which claims count; none if the claim is the same whatever is used
 */
record LocalQuota(int row, int most, int kept, List<Integer> counts) {
    LocalQuota {
        counts = List.copyOf(counts);
    }

    /** What {@code slots} in use claim of the accounts above. */
    int claim(int slots) {
        return Math.max(kept, slots);
    }

    /** What a claimed slot costs. */
    double price(double[] prices) {
        double sum = 0;
        for (int r : counts) {
            sum += prices[r];
        }
        return sum;
    }
}
