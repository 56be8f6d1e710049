package dev.spur.service.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A replica that plans.
 *
 * @param domain the planning domain that it plans; null where nothing is divided
 * @param replica its name, different for each start
 * @param leaseTerm number of the lease under which it plans
 * @param since when it took the lease; null if that is not known
 */
public record Planner(
        @Nullable String domain,
        String replica,
        long leaseTerm,
        @Nullable Instant since) {
    /** Name of the row of its lease. */
    public String row() {
        return LeaseStore.row(domain);
    }
}
