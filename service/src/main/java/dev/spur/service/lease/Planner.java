package dev.spur.service.lease;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Replica that plans.
 *
 * @param domain planning domain of the replica; null without planning domains
 * @param replica name of the replica, different after each start
 * @param leaseTerm term of the lease under which it plans
 * @param since time at which it took the lease; null if it is unknown
 */
public record Planner(
        @Nullable String domain,
        String replica,
        long leaseTerm,
        @Nullable Instant since) {
    /** Returns the name of the row of its lease. */
    public String row() {
        return LeaseStore.row(domain);
    }
}
