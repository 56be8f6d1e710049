package dev.spur.model.round;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Reservation;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The times at which nodes become available or unavailable by the calendar: start and end of reservations, and drain
 * start, start and end of maintenance.
 */
public final class CalendarEvents {
    private CalendarEvents() {}

    /** Returns all event times, unordered. */
    public static DoubleStream times(List<Reservation> reservations, List<MaintenanceWindow> maintenance) {
        Stream<Double> reserved = reservations.stream()
                .flatMap(reservation -> Stream.of(reservation.start(), drainStart(reservation), reservation.end()))
                .filter(time -> time != null);
        Stream<Double> maintained =
                maintenance.stream().flatMap(window -> Stream.of(window.leaveBy(0), window.start(), window.end()));
        return Stream.concat(reserved, maintained).mapToDouble(Double::doubleValue);
    }

    private static @Nullable Double drainStart(Reservation reservation) {
        MaintenanceWindow windowAhead = reservation.aheadAt(Double.NEGATIVE_INFINITY);
        return windowAhead == null ? null : Double.valueOf(windowAhead.leaveBy(0));
    }

    /** Returns the seconds from the time of {@code problem} to the next event; infinite if there is none. */
    public static double secondsToNext(RoundProblem problem) {
        return times(problem.reservations(), problem.maintenance())
                .map(time -> time - problem.now())
                .filter(seconds -> seconds > 0)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }
}
