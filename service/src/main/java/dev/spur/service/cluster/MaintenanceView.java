package dev.spur.service.cluster;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A maintenance window as the API returns it: its definition, and its phase by the clock of the database.
 *
 * @param pool null if {@code nodes} names the nodes
 * @param reason null if none was given
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
