package dev.spur.service.cluster;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Reservation;
import dev.spur.service.database.Rows;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reservation with calendar times. Members as in the contract. */
public record TimedReservation(
        String name,
        List<String> nodes,
        @Nullable String tenant,
        @Nullable Instant start,
        @Nullable Instant end,
        @Nullable String job,
        @Nullable Double leadSeconds,
        Reservation.@Nullable Slots slots,
        @Nullable Recurrence recurrence) {
    public TimedReservation {
        Checks.nonBlank("name", name);
        nodes = Checks.copy(nodes);
        start = truncate(start);
        end = truncate(end);
        Checks.require(
                start == null || end == null || end.isAfter(start),
                "end (%s) must be later than start (%s)",
                end,
                start);
        Checks.require(!nodes.isEmpty() || slots != null, "exactly one of nodes and slots is required");
    }

    /** Returns this reservation with the nodes and values found for it. */
    public TimedReservation with(List<String> found, @Nullable String ofTenant, @Nullable Double lead) {
        return new TimedReservation(name, found, ofTenant, start, end, job, lead, slots, recurrence);
    }

    /** Returns the time of this reservation with its repetition. */
    public CalendarRange range() {
        return new CalendarRange(start, end, recurrence);
    }

    /**
     * Returns this reservation as a round at {@code now} uses it: with the active or next occurrence, and times in
     * seconds since 1970. It has its first time after the last occurrence.
     */
    Reservation inSeconds(Instant now) {
        Occurrence occurrence = range().occurrenceAt(now);
        return new Reservation(
                name,
                nodes,
                tenant,
                seconds(occurrence == null ? start : occurrence.start()),
                seconds(occurrence == null ? end : occurrence.end()),
                job,
                leadSeconds);
    }

    /** Returns the reservations of the occurrences after that at {@code now} that begin before {@code until}. */
    Stream<Reservation> later(Instant now, Instant until) {
        return range().following(now, until).stream()
                .map(next -> new Reservation(
                        name + " " + next.start(),
                        nodes,
                        tenant,
                        Rows.seconds(next.start()),
                        Rows.seconds(next.end()),
                        job,
                        leadSeconds));
    }

    /** Returns the time with the precision of responses, so that a range that is stored is not empty. */
    private static @Nullable Instant truncate(@Nullable Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MILLIS);
    }

    private static @Nullable Double seconds(@Nullable Instant time) {
        return time == null ? null : Double.valueOf(Rows.seconds(time));
    }
}
