package dev.spur.solver.candidate;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.round.Maintenance;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.TenantTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reservations by node. Before a reservation with a lead time begins, its nodes are treated as before maintenance. */
final class NodeReservations {
    private final TenantTree tenants;
    private final Maintenance maintenance;
    private final Map<String, List<UpcomingReservation>> reservationsByNode = new HashMap<>();
    private final Map<String, List<Reservation>> holdingReservations = new HashMap<>();
    /** Reservations that keep some job off: only these split classes of nodes, so that gangs may span the others. */
    private final Set<String> minded = new HashSet<>();

    /** A reservation, and the window in which other jobs have to leave. */
    private record UpcomingReservation(Reservation reservation, MaintenanceWindow window) {}

    /** Creates the index of the upcoming reservations of {@code problem}. */
    NodeReservations(RoundProblem problem, TenantTree tenants, Maintenance maintenance) {
        this.tenants = tenants;
        this.maintenance = maintenance;
        for (Reservation reservation : problem.reservations()) {
            MaintenanceWindow window = reservation.aheadAt(problem.now());
            if (reservation.holdsAt(problem.now())) {
                reservation
                        .nodes()
                        .forEach(node -> holdingReservations
                                .computeIfAbsent(node, n -> new ArrayList<>())
                                .add(reservation));
            }
            if (window == null) {
                continue;
            }
            for (String node : reservation.nodes()) {
                reservationsByNode
                        .computeIfAbsent(node, n -> new ArrayList<>())
                        .add(new UpcomingReservation(reservation, window));
            }
            if (problem.jobs().stream()
                    .anyMatch(job -> !isFor(reservation, job) && maintenance.concerns(job, window))) {
                minded.add(reservation.name());
            }
        }
    }

    private boolean isFor(Reservation reservation, Job job) {
        return ReservationHolder.of(reservation).includes(job, tenants);
    }

    /** Returns the names of those of {@code node} that keep some job off. */
    List<String> excludingJobs(String node) {
        return of(node).stream()
                .map(coming -> coming.reservation().name())
                .filter(minded::contains)
                .toList();
    }

    /** Returns whether they admit {@code job}, at {@code goodput} effective samples per second, to {@code node}. */
    boolean admit(String node, Job job, double goodput) {
        for (UpcomingReservation coming : of(node)) {
            if (!isFor(coming.reservation(), job) && !maintenance.admits(job, goodput, coming.window())) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether they let a movable {@code job} stay that runs at {@code goodput} on {@code node}. */
    boolean letStay(String node, Job job, double goodput) {
        return of(node).stream()
                .allMatch(coming ->
                        isFor(coming.reservation(), job) || maintenance.letsStay(job, goodput, coming.window()));
    }

    /**
     * Returns the reservation that keeps {@code job} off {@code node}, active or because the job might not leave in
     * time; null if there is none.
     */
    @Nullable
    Reservation keepsOff(String node, Job job) {
        for (Reservation reservation : holdingReservations.getOrDefault(node, List.of())) {
            if (!isFor(reservation, job)) {
                return reservation;
            }
        }
        return of(node).stream()
                .filter(coming -> !isFor(coming.reservation(), job) && !maintenance.admits(job, 0, coming.window()))
                .map(UpcomingReservation::reservation)
                .findFirst()
                .orElse(null);
    }

    private List<UpcomingReservation> of(String node) {
        return reservationsByNode.getOrDefault(node, List.of());
    }
}
