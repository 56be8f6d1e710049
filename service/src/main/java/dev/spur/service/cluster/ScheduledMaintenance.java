package dev.spur.service.cluster;

import dev.spur.model.Checks;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maintenance window of some nodes or of a whole pool.
 *
 * @param name unique name
 * @param nodes ids of the nodes; empty if {@code pool} is given
 * @param pool pool whose current and later nodes are in the window; null if {@code nodes} is given
 * @param start start of the window; no job may run on the nodes from then on
 * @param end end of the window, exclusive, later than {@code start}
 * @param leadSeconds time before {@code start} during which the nodes drain; at least 0
 * @param reason reason for users; null if none was given
 */
record ScheduledMaintenance(
        String name,
        List<String> nodes,
        @Nullable String pool,
        Instant start,
        Instant end,
        double leadSeconds,
        @Nullable String reason) {
    public ScheduledMaintenance {
        Checks.named("name", name);
        nodes = Checks.copy(nodes);
        Checks.require(
                nodes.isEmpty() == (pool != null), "exactly one of nodes (%s) and pool (%s) is required", nodes, pool);
        Checks.require(end.isAfter(start), "end (%s) must be later than start (%s)", end, start);
        Checks.atLeast("leadSeconds", leadSeconds, 0);
    }

    /** Phase of a window. */
    public enum Phase {
        SCHEDULED,
        DRAINING,
        ACTIVE,
        ENDED
    }

    /** Returns the phase at {@code now}. */
    public Phase phaseAt(Instant now) {
        if (!now.isBefore(end)) {
            return Phase.ENDED;
        }
        if (!now.isBefore(start)) {
            return Phase.ACTIVE;
        }
        return now.isBefore(start.minusNanos((long) (leadSeconds * 1e9))) ? Phase.SCHEDULED : Phase.DRAINING;
    }
}
