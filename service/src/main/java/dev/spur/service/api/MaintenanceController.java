package dev.spur.service.api;

import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.DatabaseTime;
import dev.spur.service.store.MaintenanceStore;
import dev.spur.service.store.ScheduledMaintenance;
import dev.spur.service.store.Versioned;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Maintenance windows. */
@RestController
@RequestMapping("/api/v1/maintenance-windows")
class MaintenanceController {
    private static final String WORDS = "maintenance window";

    private final NamedResource<ScheduledMaintenance> windows;
    private final MaintenanceStore store;
    private final DatabaseTime time;

    MaintenanceController(
            MaintenanceStore store,
            MaintenanceRules rules,
            DatabaseTime time,
            TransactionTemplate transaction,
            RoundTrigger trigger,
            AuditTrail trail) {
        this.store = store;
        this.time = time;
        windows = new NamedResource<>(
                new NamedResource.Kind<>(WORDS, "name", ScheduledMaintenance.class, ScheduledMaintenance::name, rules),
                store,
                transaction,
                trigger,
                trail);
    }

    @GetMapping
    ResponseEntity<Page<MaintenanceView>> list(ContractRequest request) {
        int limit = Page.limit(request);
        Instant now = time.now();
        List<ScheduledMaintenance> found = Page.matching(
                Page.after(request, ""),
                limit + 1,
                store::list,
                ScheduledMaintenance::name,
                window -> request.matches("state", window.phaseAt(now))
                        && request.matches("pool", window.pool())
                        && request.matchesOneOf("node", window.nodes()));
        return Page.of(found, limit, ScheduledMaintenance::name)
                .map(window -> MaintenanceView.of(window, now))
                .answer(request);
    }

    /** The phase is part of the view and of its ETag; it changes with time alone. */
    @GetMapping("/{name}")
    ResponseEntity<MaintenanceView> get(ContractRequest request) {
        String name = request.text("name");
        Versioned<ScheduledMaintenance> found =
                store.find(name).orElseThrow(() -> ProblemException.notFound(WORDS, name));
        MaintenanceView view = MaintenanceView.of(found.value(), time.now());
        return ConditionalResponses.of(
                request,
                EntityTag.of(
                        found.version(),
                        Integer.toUnsignedLong(view.phase().name().hashCode())),
                view);
    }

    @PutMapping("/{name}")
    ResponseEntity<MaintenanceView> put(ContractRequest request) {
        ResponseEntity<ScheduledMaintenance> stored = windows.put(request);
        return ResponseEntity.status(stored.getStatusCode())
                .headers(stored.getHeaders())
                .body(MaintenanceView.of(Objects.requireNonNull(stored.getBody()), time.now()));
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(ContractRequest request) {
        return windows.delete(request);
    }
}
