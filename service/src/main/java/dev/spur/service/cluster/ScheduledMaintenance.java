package dev.spur.service.cluster;

import dev.spur.model.Checks;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maintenance window of some nodes or of a whole pool. Members as in the contract. */
record ScheduledMaintenance(
        String name,
        List<String> nodes,
        @Nullable String pool,
        Instant start,
        Instant end,
        double leadSeconds,
        @Nullable String reason,
        @Nullable Recurrence recurrence) {
    public ScheduledMaintenance {
        Checks.nonBlank("name", name);
        nodes = Checks.copy(nodes);
        start = start.truncatedTo(ChronoUnit.MILLIS);
        end = end.truncatedTo(ChronoUnit.MILLIS);
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

    /** Returns the time of this window with its repetition. */
    CalendarRange range() {
        return new CalendarRange(start, end, recurrence);
    }

    /** Returns the phase at {@code now}, that of the active or next occurrence. */
    public Phase phaseAt(Instant now) {
        return range().at(now)
                .map(occurrence -> phaseAt(now, occurrence.start()))
                .orElse(Phase.ENDED);
    }

    private Phase phaseAt(Instant now, Instant next) {
        if (!now.isBefore(next)) {
            return Phase.ACTIVE;
        }
        return now.isBefore(next.minusNanos((long) (leadSeconds * 1e9))) ? Phase.SCHEDULED : Phase.DRAINING;
    }
}
