package dev.spur.service.round;

import org.jspecify.annotations.Nullable;

/**
 * The right to plan, as long as the database says so.
 *
 * @param holder name of this replica, different for each start
 * @param term fencing number: rises with every change of holder
 * @param domain the planning domain that may be planned; null for everything, where nothing is divided
 */
record Lease(String holder, long term, @Nullable String domain) {
    /** The right to plan everything. */
    Lease(String holder, long term) {
        this(holder, term, null);
    }
}
