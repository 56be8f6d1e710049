package dev.spur.service.api;

import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.Page;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.ReservationStore;
import dev.spur.service.store.TimedReservation;
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

    ReservationController(
            ReservationStore store,
            ReservationRules rules,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail) {
        reservations = new NamedResource<>(
                new NamedResource.Kind<>("reservation", "name", TimedReservation.class, TimedReservation::name, rules),
                store,
                transaction,
                trigger,
                trail);
    }

    @GetMapping
    ResponseEntity<Page<TimedReservation>> list(ContractRequest request) {
        return reservations.list(request);
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
