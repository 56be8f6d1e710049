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

/** Reservations by node. Before one with a lead begins, its nodes are for others as before maintenance. */
final class NodeReservations {
    private final TenantTree tenants;
    private final Maintenance maintenance;
    private final Map<String, List<UpcomingReservation>> byNode = new HashMap<>();
    private final Map<String, List<Reservation>> holding = new HashMap<>();
    /** Those that keep some job off: only they part nodes into classes, so that gangs may lie across the others. */
    private final Set<String> minded = new HashSet<>();

    /** A reservation, and the time before which others are to have left. */
    private record UpcomingReservation(Reservation reservation, MaintenanceWindow window) {}

    /** The reservations of {@code problem} that are ahead. */
    NodeReservations(RoundProblem problem, TenantTree tenants, Maintenance maintenance) {
        this.tenants = tenants;
        this.maintenance = maintenance;
        for (Reservation reservation : problem.reservations()) {
            MaintenanceWindow window = reservation.aheadAt(problem.now());
            if (reservation.holdsAt(problem.now())) {
                reservation
                        .nodes()
                        .forEach(node -> holding.computeIfAbsent(node, n -> new ArrayList<>())
                                .add(reservation));
            }
            if (window == null) {
                continue;
            }
            for (String node : reservation.nodes()) {
                byNode.computeIfAbsent(node, n -> new ArrayList<>()).add(new UpcomingReservation(reservation, window));
            }
            if (problem.jobs().stream()
                    .anyMatch(job -> !isFor(reservation, job) && maintenance.concerns(job, window))) {
                minded.add(reservation.name());
            }
        }
    }

    private boolean isFor(Reservation reservation, Job job) {
        String tenant = reservation.tenant();
        return reservation.job() == null
                ? tenant != null && tenants.isWithin(job.tenant(), tenant)
                : reservation.job().equals(job.id());
    }

    /** Names of those of {@code node} that keep some job off. */
    List<String> minded(String node) {
        return of(node).stream()
                .map(coming -> coming.reservation().name())
                .filter(minded::contains)
                .toList();
    }

    /** True if they let {@code job}, at {@code goodput} effective samples per second, come to {@code node}. */
    boolean admit(String node, Job job, double goodput) {
        return of(node).stream()
                .allMatch(coming ->
                        isFor(coming.reservation(), job) || maintenance.admits(job, goodput, coming.window()));
    }

    /** True if they let {@code job}, which runs at {@code goodput} on {@code node}, stay there if it may be moved. */
    boolean letStay(String node, Job job, double goodput) {
        return of(node).stream()
                .allMatch(coming ->
                        isFor(coming.reservation(), job) || maintenance.letsStay(job, goodput, coming.window()));
    }

    /**
     * The reservation that keeps {@code job} off {@code node}, now or since it might not have left in time; null if
     * none does.
     */
    @Nullable
    Reservation keepsOff(String node, Job job) {
        for (Reservation reservation : holding.getOrDefault(node, List.of())) {
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
        return byNode.getOrDefault(node, List.of());
    }
}
