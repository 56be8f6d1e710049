package dev.spur.service.api;

import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.Page;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.DatabaseTime;
import dev.spur.service.store.ReservationStore;
import dev.spur.service.store.TimedReservation;
import java.time.Instant;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Reservations. */
@RestController
@RequestMapping("/api/v1/reservations")
class ReservationController {
    private final NamedResource<TimedReservation> reservations;
    private final DatabaseTime time;

    ReservationController(
            ReservationStore store,
            ReservationRules rules,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail,
            DatabaseTime time) {
        this.time = time;
        reservations = new NamedResource<>(
                new NamedResource.Kind<>("reservation", "name", TimedReservation.class, TimedReservation::name, rules),
                store,
                transaction,
                trigger,
                trail);
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
    ResponseEntity<Page<TimedReservation>> list(ContractRequest request) {
        Instant now = time.now();
        return reservations.list(
                request,
                reservation -> request.matches("state", State.of(reservation, now))
                        && request.matches("tenant", reservation.tenant())
                        && request.matchesOneOf("node", reservation.nodes()));
    }

    @GetMapping("/{name}")
    ResponseEntity<TimedReservation> get(ContractRequest request) {
        return reservations.get(request);
    }

    @PutMapping("/{name}")
    ResponseEntity<TimedReservation> put(ContractRequest request) {
        return reservations.put(request);
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(ContractRequest request) {
        return reservations.delete(request);
    }
}
