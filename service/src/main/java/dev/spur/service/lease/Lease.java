package dev.spur.service.lease;

import org.jspecify.annotations.Nullable;

/**
 * A leader lease of the planner.
 *
 * @param holder name of the replica, different for each start
 * @param term fencing token, which increases with every change of holder
 * @param domain the planning domain; null for the whole cluster if there are no domains
 */
public record Lease(String holder, long term, @Nullable String domain) {
    /** The lease of the whole cluster. */
    public Lease(String holder, long term) {
        this(holder, term, null);
    }
}
