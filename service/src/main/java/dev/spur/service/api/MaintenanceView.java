package dev.spur.service.api;

import dev.spur.service.store.ScheduledMaintenance;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A maintenance window as callers see it: what they said of it, and its phase by the clock of the database.
 *
 * @param pool null if {@code nodes} says what is meant
 * @param reason null if nobody said
 */
record MaintenanceView(
        String name,
        List<String> nodes,
        @Nullable String pool,
        Instant start,
        Instant end,
        double leadSeconds,
        @Nullable String reason,
        ScheduledMaintenance.Phase phase) {
    static MaintenanceView of(ScheduledMaintenance window, Instant now) {
        return new MaintenanceView(
                window.name(),
                window.nodes(),
                window.pool(),
                window.start(),
                window.end(),
                window.leadSeconds(),
                window.reason(),
                window.phaseAt(now));
    }
}
