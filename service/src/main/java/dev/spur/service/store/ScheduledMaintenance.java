package dev.spur.service.store;

import dev.spur.model.Checks;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maintenance by the calendar, of some nodes or of a whole pool.
 *
 * @param name unique name
 * @param nodes ids of the nodes; empty if {@code pool} says which
 * @param pool name of the pool whose nodes are meant, also those that come later; null if {@code nodes} says which
 * @param start from when on nothing may be there
 * @param end until before when; later than {@code start}
 * @param leadSeconds time before {@code start} from which on the nodes drain; at least 0
 * @param reason why, for people; null if nobody said
 */
public record ScheduledMaintenance(
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

    /** Where a window is in its life. */
    public enum Phase {
        SCHEDULED,
        DRAINING,
        ACTIVE,
        ENDED
    }

    /** The phase at {@code now}. */
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
