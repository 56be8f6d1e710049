package dev.spur.service.cluster;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.round.RoundProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Reservations and maintenance windows, with the rules by which they repeat. */
public record ClusterCalendar(List<TimedReservation> reservations, List<NodesInMaintenance> maintenance) {
    public ClusterCalendar {
        reservations = List.copyOf(reservations);
        maintenance = List.copyOf(maintenance);
    }

    /** Returns the reservations for a round at {@code now}, each with its active or next occurrence. */
    public List<Reservation> reservationsAt(Instant now) {
        return reservations.stream().map(one -> one.inSeconds(now)).toList();
    }

    /** Returns the maintenance windows for a round at {@code now}, each with its active or next occurrence. */
    public List<MaintenanceWindow> maintenanceAt(Instant now) {
        return maintenance.stream().flatMap(one -> one.windowAt(now).stream()).toList();
    }

    /** Returns the input of a round with all further occurrences that begin within {@code horizon}. */
    public RoundProblem addLaterTo(RoundProblem problem, Duration horizon) {
        Instant now = Instant.EPOCH.plusMillis(Math.round(problem.now() * 1000));
        Instant until = now.plus(horizon);
        return problem.withReservations(Stream.concat(
                                problem.reservations().stream(),
                                reservations.stream().flatMap(one -> one.later(now, until)))
                        .toList())
                .withMaintenance(Stream.concat(
                                problem.maintenance().stream(),
                                maintenance.stream().flatMap(one -> one.later(now, until)))
                        .toList());
    }
}
