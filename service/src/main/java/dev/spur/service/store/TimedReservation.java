package dev.spur.service.store;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Reservation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reservation by the calendar.
 *
 * @param name unique name
 * @param nodes ids of the nodes
 * @param tenant the tenant whose subtree may use them; null keeps everybody off
 * @param start from when on; null if it has always held
 * @param end until before when, later than {@code start}; null if it never ends
 */
public record TimedReservation(
        String name,
        List<String> nodes,
        @Nullable String tenant,
        @Nullable Instant start,
        @Nullable Instant end) {
    public TimedReservation {
        Checks.named("name", name);
        nodes = Checks.copy(nodes);
        Checks.require(
                start == null || end == null || end.isAfter(start),
                "end (%s) must be later than start (%s)",
                end,
                start);
    }

    /** The reservation on the clock of a round, seconds since 1970. */
    Reservation inSeconds() {
        return new Reservation(name, nodes, tenant, seconds(start), seconds(end));
    }

    private static @Nullable Double seconds(@Nullable Instant time) {
        return time == null ? null : Double.valueOf(Rows.seconds(time));
    }
}
