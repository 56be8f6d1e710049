package dev.spur.service.cluster;

import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.ListFilter;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.resource.NamedResourceController;
import dev.spur.service.security.AccessScope;
import dev.spur.service.trigger.RoundTrigger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reservations. */
@RestController
@RequestMapping("/api/v1/reservations")
class ReservationController extends NamedResourceController<TimedReservation, TimedReservation> {
    private final DatabaseTime time;

    ReservationController(
            ReservationStore store, ReservationRules rules, RoundTrigger trigger, AuditTrail trail, DatabaseTime time) {
        super(new Kind<>("reservation", TimedReservation::name, rules), store, trigger, trail);
        this.time = time;
    }

    /** Phase of a reservation at the current time. */
    enum State {
        SCHEDULED,
        ACTIVE,
        ENDED;

        static State of(TimedReservation reservation, Instant now) {
            Instant start = reservation.start();
            Instant end = reservation.end();
            if (end != null && !now.isBefore(end)) {
                return ENDED;
            }
            return start != null && now.isBefore(start) ? SCHEDULED : ACTIVE;
        }
    }

    @GetMapping
    ResponseEntity<Page<TimedReservation>> list(
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
                .response();
    }

    @Override
    protected TimedReservation view(TimedReservation value) {
        return value;
    }
}
