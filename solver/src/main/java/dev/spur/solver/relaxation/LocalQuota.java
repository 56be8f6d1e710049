package dev.spur.solver.relaxation;

import dev.spur.solver.quota.QuotaSystem.Account;
import java.util.List;

/**
 * Quota that binds only the jobs of one subproblem.
 *
 * @param row row of the used slots, used <= most
 * @param max maximum number of slots of these jobs together
 * @param account account of the quota
 * @param counts rows of the accounts above in which claims count; empty if the claim is constant
 */
public record LocalQuota(int row, int max, Account account, List<Integer> counts) {
    public LocalQuota {
        counts = List.copyOf(counts);
    }

    /** Returns the reserved slots, claimed from the accounts above even if fewer are used. */
    int retainedSlots() {
        return (int) account.retained();
    }

    /** Returns the claim on the accounts above for {@code slots} in use. */
    public int claim(int slots) {
        return (int) account.claim(slots);
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
