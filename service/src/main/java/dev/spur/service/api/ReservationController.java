package dev.spur.service.api;

import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.Page;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.NodeStore;
import dev.spur.service.store.ReservationStore;
import dev.spur.service.store.TenantStore;
import dev.spur.service.store.TimedReservation;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
            NodeStore nodes,
            TenantStore tenants,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail) {
        reservations = new NamedResource<>(
                new NamedResource.Kind<>(
                        "reservation",
                        "name",
                        TimedReservation.class,
                        TimedReservation::name,
                        new Rules(nodes, tenants)),
                store,
                transaction,
                trigger,
                trail);
    }

    private record Rules(NodeStore nodes, TenantStore tenants) implements NamedResource.Rules<TimedReservation> {
        @Override
        public void check(TimedReservation value, @Nullable TimedReservation before, List<FieldError> errors) {
            List<String> known = nodes.existing(value.nodes());
            for (int i = 0; i < value.nodes().size(); i++) {
                if (!known.contains(value.nodes().get(i))) {
                    errors.add(FieldError.at(
                            "/nodes/" + i, "there is no node " + value.nodes().get(i)));
                }
            }
            String tenant = value.tenant();
            if (tenant != null && tenants.find(tenant).isEmpty()) {
                errors.add(FieldError.at("/tenant", "there is no tenant " + tenant));
            }
        }
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
