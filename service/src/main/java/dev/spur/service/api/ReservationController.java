package dev.spur.service.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.cluster.AvailableNode;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.JobSpec;
import dev.spur.service.cluster.MaintenanceStore;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.cluster.Occurrence;
import dev.spur.service.cluster.ReservationStore;
import dev.spur.service.cluster.TenantStore;
import dev.spur.service.cluster.TimedReservation;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.NamedResourceController;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reservations. */
@RestController
@RequestMapping("/api/v1/reservations")
class ReservationController extends NamedResourceController<TimedReservation, ReservationController.ReservationView> {
    private final DatabaseTime time;

    ReservationController(
            ReservationStore store,
            MaintenanceStore maintenance,
            NodeStore nodes,
            TenantStore tenants,
            JobStore jobs,
            DatabaseTime time,
            RoundTrigger trigger,
            AuditTrail trail) {
        super(
                new Kind<>(
                        "reservation",
                        TimedReservation::name,
                        new Rules(store, maintenance, nodes, tenants, jobs, time)),
                store,
                trigger,
                trail);
        this.time = time;
    }

    /** Phase of a reservation at the current time. */
    enum State {
        SCHEDULED,
        ACTIVE,
        ENDED;

        static State of(TimedReservation reservation, Instant now) {
            return reservation
                    .range()
                    .at(now)
                    .map(occurrence -> now.isBefore(occurrence.start()) ? SCHEDULED : ACTIVE)
                    .orElse(ENDED);
        }
    }

    @GetMapping
    ResponseEntity<Page<ReservationView>> list(
            @RequestParam(defaultValue = "") List<String> state,
            @RequestParam @Nullable String tenant,
            @RequestParam @Nullable String node,
            AccessScope scope,
            PageRequest page) {
        Instant now = time.now();
        return list(
                        scope,
                        page,
                        reservation -> ListFilter.matches(state, State.of(reservation, now))
                                && ListFilter.matches(tenant, reservation.tenant())
                                && ListFilter.matchesOneOf(node, reservation.nodes()))
                .map(reservation -> ReservationView.of(reservation, now))
                .response();
    }

    @Override
    protected ReservationView view(TimedReservation value) {
        return ReservationView.of(value, time.now());
    }

    /** The occurrence is part of the view and of its ETag; it changes with time alone. */
    @Override
    protected EntityTag tag(long version, ReservationView view) {
        return view.occurrence() == null
                ? EntityTag.of(version)
                : EntityTag.of(version, Integer.toUnsignedLong(view.occurrence().hashCode()));
    }

    /**
     * A reservation as the API returns it, by the clock of the database.
     *
     * @param occurrence active or next occurrence; null after the last, and for a reservation that does not repeat
     */
    record ReservationView(
            @JsonUnwrapped TimedReservation reservation,
            @Nullable Occurrence occurrence) {
        static ReservationView of(TimedReservation reservation, Instant now) {
            return new ReservationView(reservation, reservation.range().occurrenceAt(now));
        }
    }

    /**
     * Validation rules of a reservation that its schema cannot express: nodes, tenant and job exist, and the job may
     * run there. If the request asks for slots, the rules choose nodes without another reservation or maintenance
     * window at that time.
     */
    private record Rules(
            ReservationStore reservations,
            MaintenanceStore maintenance,
            NodeStore nodes,
            TenantStore tenants,
            JobStore jobs,
            DatabaseTime time)
            implements NamedResourceController.Rules<TimedReservation> {
        @Override
        public TimedReservation complete(TimedReservation value, @Nullable TimedReservation before) {
            Optional<StoredJob> job = Optional.ofNullable(value.job()).flatMap(jobs::find);
            String tenant = value.tenant() == null ? job.map(StoredJob::tenant).orElse(null) : value.tenant();
            Double lead = value.leadSeconds() == null && value.job() != null
                    ? Double.valueOf(Reservation.LEAD_FOR_A_JOB)
                    : value.leadSeconds();
            return value.with(choose(value, before), tenant, lead);
        }

        private List<String> choose(TimedReservation value, @Nullable TimedReservation before) {
            Reservation.Slots slots = value.slots();
            if (slots == null || !value.nodes().isEmpty()) {
                return value.nodes();
            }
            if (before != null && slots.equals(before.slots()) && value.range().equals(before.range())) {
                return before.nodes();
            }
            List<FieldError> timeErrors = new ArrayList<>();
            value.range().check(timeErrors);
            if (!timeErrors.isEmpty()) {
                return List.of();
            }
            maintenance.lockCalendar();
            Instant now = time.now();
            Set<String> maintained = maintenance.nodesIn(value.range(), now);
            List<AvailableNode> available = reservations.open(value, slots, now).stream()
                    .filter(node -> !maintained.contains(node.id()))
                    .toList();
            return AvailableNode.smallestSet(available, slots.count());
        }

        @Override
        public void check(TimedReservation value, @Nullable TimedReservation before, List<FieldError> errors) {
            List<Node> there = new ArrayList<>();
            for (int i = 0; i < value.nodes().size(); i++) {
                String id = value.nodes().get(i);
                int at = i;
                nodes.lock(id)
                        .ifPresentOrElse(
                                node -> there.add(node.value()),
                                () -> errors.add(FieldError.at("/nodes/" + at, "there is no node " + id)));
            }
            String tenant = value.tenant();
            boolean sameTenant = before != null && Objects.equals(tenant, before.tenant());
            if (tenant != null && !sameTenant && !tenants.keep(tenant)) {
                errors.add(FieldError.at("/tenant", "there is no tenant " + tenant));
            }
            List<FieldError> timeErrors = new ArrayList<>();
            value.range().check(timeErrors);
            errors.addAll(timeErrors);
            boolean isNewTime = before == null || !value.range().equals(before.range());
            Instant now = time.now();
            if (timeErrors.isEmpty() && isNewTime && value.range().at(now).isEmpty()) {
                errors.add(FieldError.at("/end", "is in the past; the current time is " + now));
            }
            Reservation.Slots slots = value.slots();
            if (slots != null && timeErrors.isEmpty()) {
                checkSlots(slots, there, errors);
            }
            if (value.job() != null) {
                checkJob(value.job(), value, there, errors);
            }
        }

        private static void checkSlots(Reservation.Slots slots, List<Node> there, List<FieldError> errors) {
            int found = there.stream()
                    .filter(node -> node.pool().equals(slots.pool())
                            && slots.acceleratorType().equals(node.acceleratorType()))
                    .mapToInt(Node::slots)
                    .sum();
            if (found < slots.count()) {
                errors.add(FieldError.at(
                        "/slots/count",
                        "only %d slots of type %s in pool %s can be reserved at that time"
                                .formatted(found, slots.acceleratorType(), slots.pool())));
            }
        }

        private void checkJob(String id, TimedReservation value, List<Node> there, List<FieldError> errors) {
            StoredJob job = jobs.find(id).orElse(null);
            if (job == null || job.state().hasEnded()) {
                errors.add(FieldError.at("/job", job == null ? "there is no job " + id : "the job has ended"));
                return;
            }
            if (job.kind() != JobKind.TRAINING) {
                errors.add(
                        FieldError.at("/job", "is a data preparation; nodes can be reserved for a training job only"));
                return;
            }
            if (!job.tenant().equals(value.tenant())) {
                errors.add(FieldError.at("/tenant", "differs from that of the job, " + job.tenant()));
            }
            JobSpec spec = job.trainingSpec();
            for (Node node : there) {
                if (!spec.mayRunOn(node)) {
                    errors.add(FieldError.at("/job", "the job may not run on node %s".formatted(node.id())));
                    return;
                }
            }
        }
    }
}
