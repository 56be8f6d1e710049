package dev.spur.service.plans;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Replica that plans.
 *
 * @param replica name of the replica, different after each start
 * @param leaseTerm term of the lease under which it plans
 * @param since time at which it took the lease; null if it is unknown
 */
public record Planner(
        String replica, long leaseTerm, @Nullable Instant since) {}
