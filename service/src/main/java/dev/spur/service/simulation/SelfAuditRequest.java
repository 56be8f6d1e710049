package dev.spur.service.simulation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Request for a self-audit.
 *
 * @param since start of the range, inclusive
 * @param until end of the range, exclusive
 * @param roundSeconds time between two rounds of a replay; null for that of the service
 */
record SelfAuditRequest(
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable Double roundSeconds) {}
