package dev.spur.model.tenant;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * The quota of a tenant for one accelerator type.
 *
 * @param nominal slots guaranteed to the tenant
 * @param borrowingLimit maximum slots beyond {@code nominal}, borrowed from other tenants; null for no limit
 * @param lendingLimit maximum slots of {@code nominal} that other tenants may borrow; null for all
 */
public record Quota(
        int nominal,
        @Nullable Integer borrowingLimit,
        @Nullable Integer lendingLimit) {
    public Quota {
        Checks.atLeast("nominal", nominal, 0);
        Checks.require(
                borrowingLimit == null || borrowingLimit >= 0,
                "borrowingLimit (%s) must be at least 0",
                borrowingLimit);
        Checks.require(lendingLimit == null || lendingLimit >= 0, "lendingLimit (%s) must be at least 0", lendingLimit);
    }

    /** Returns the maximum slots that the tenant may hold: nominal plus borrowing limit, without overflow. */
    public int max() {
        return borrowingLimit == null
                ? Integer.MAX_VALUE
                : (int) Math.min(Integer.MAX_VALUE, (long) nominal + borrowingLimit);
    }

    /** Returns the slots of {@code nominal} that are never lent. */
    public int notLendable() {
        return lendingLimit == null ? 0 : Math.max(0, nominal - lendingLimit);
    }
}
