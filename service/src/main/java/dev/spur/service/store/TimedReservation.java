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
 * @param nodes ids of the nodes; empty in a request if {@code slots} says how many are to be found
 * @param tenant the tenant whose subtree may use them; null keeps everybody off, or stands for that of {@code job}
 * @param start from when on; null if it has always held
 * @param end until before when, later than {@code start}; null if it never ends
 * @param job the only job that may use them; null for all of the tenant
 * @param leadSeconds time before {@code start} from which on others leave, at least 0; null if they stay until then
 * @param slots how many slots the nodes are to have; null if nodes were named
 */
public record TimedReservation(
        String name,
        List<String> nodes,
        @Nullable String tenant,
        @Nullable Instant start,
        @Nullable Instant end,
        @Nullable String job,
        @Nullable Double leadSeconds,
        Reservation.@Nullable Slots slots) {
    public TimedReservation {
        Checks.named("name", name);
        nodes = Checks.copy(nodes);
        Checks.require(
                start == null || end == null || end.isAfter(start),
                "end (%s) must be later than start (%s)",
                end,
                start);
        Checks.require(!nodes.isEmpty() || slots != null, "exactly one of nodes and slots is required");
    }

    /** The same with what was found for it. */
    public TimedReservation with(List<String> found, @Nullable String ofTenant, @Nullable Double lead) {
        return new TimedReservation(name, found, ofTenant, start, end, job, lead, slots);
    }

    /** The reservation on the clock of a round, seconds since 1970. */
    Reservation inSeconds() {
        return new Reservation(name, nodes, tenant, seconds(start), seconds(end), job, leadSeconds);
    }

    private static @Nullable Double seconds(@Nullable Instant time) {
        return time == null ? null : Double.valueOf(Rows.seconds(time));
    }
}
