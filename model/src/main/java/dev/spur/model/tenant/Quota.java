package dev.spur.model.tenant;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant may use of one accelerator type.
 *
 * @param nominal slots that are the tenant's own
 * @param borrowingLimit most slots beyond {@code nominal}, taken from what others lend; null for no limit
 * @param lendingLimit most slots of {@code nominal} that others may borrow; null for all
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

    /** Most slots the tenant may hold: nominal plus borrowing limit, without overflow. */
    public int most() {
        return borrowingLimit == null
                ? Integer.MAX_VALUE
                : (int) Math.min(Integer.MAX_VALUE, (long) nominal + borrowingLimit);
    }

    /** Slots of {@code nominal} that are never lent. */
    public int neverLent() {
        return lendingLimit == null ? 0 : Math.max(0, nominal - lendingLimit);
    }
}
