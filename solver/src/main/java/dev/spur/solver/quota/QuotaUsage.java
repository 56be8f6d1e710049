package dev.spur.solver.quota;

import dev.spur.solver.quota.QuotaSystem.Account;
import java.util.function.ToLongFunction;

/**
 * Use of each quota account by the jobs of a plan. An account below counts in the account above with its claim, at
 * least its reserved slots. Amounts are in the units of the system. A query visits only the accounts above a tenant.
 * Queries are thread-safe.
 */
public final class QuotaUsage {
    private final QuotaSystem system;
    private final long[] use;

    /** Creates the use without jobs: each account claims its reserved slots. */
    public QuotaUsage(QuotaSystem system) {
        this.system = system;
        this.use = new long[system.size()];
        for (int a = use.length - 1; a >= 0; a--) {
            if (system.above(a) >= 0) {
                use[system.above(a)] += claim(a);
            }
        }
    }

    /** Returns the slots of the tenants of account {@code a} plus the claims of the accounts below. */
    public long use(int a) {
        return use[a];
    }

    /** Returns the slots that account {@code a} claims from the account above. */
    public long claim(int a) {
        return system.account(a).claim(use[a]);
    }

    /**
     * Returns the account whose limit forbids {@code slots} more in {@code account}: itself or one above; -1 if none
     * does.
     */
    public int blocking(int account, long slots) {
        return blocking(account, slots, Account::limit);
    }

    /**
     * Returns the same as {@link #blocking} by the limits that tenants state, without regard to the slots that exist.
     */
    public int blockingStated(int account, long slots) {
        return blocking(account, slots, Account::statedLimit);
    }

    private int blocking(int account, long slots, ToLongFunction<Account> limitOf) {
        long more = slots;
        for (int a = account; a >= 0 && more > 0; a = system.above(a)) {
            Account own = system.account(a);
            if (use[a] + more > limitOf.applyAsLong(own)) {
                return a;
            }
            more = own.claim(use[a] + more) - own.claim(use[a]);
        }
        return -1;
    }

    /** Adds {@code slots} to {@code account}, -1 for none; a negative number releases them. */
    public void add(int account, long slots) {
        long more = slots;
        for (int a = account; a >= 0 && more != 0; a = system.above(a)) {
            long before = claim(a);
            use[a] += more;
            more = claim(a) - before;
        }
    }
}
