package dev.spur.service.api;

import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.EntityTag;
import dev.spur.service.contract.ListFilter;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.DatabaseTime;
import dev.spur.service.store.MaintenanceStore;
import dev.spur.service.store.ScheduledMaintenance;
import dev.spur.service.store.Versioned;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
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
                new NamedResource.Kind<>(WORDS, ScheduledMaintenance::name, rules), store, transaction, trigger, trail);
    }

    @GetMapping
    ResponseEntity<Page<MaintenanceView>> list(
            @RequestParam(defaultValue = "") List<String> state,
            @RequestParam @Nullable String pool,
            @RequestParam @Nullable String node,
            PageRequest page) {
        Instant now = time.now();
        List<ScheduledMaintenance> found = Page.matching(
                page.after(""),
                page.limit() + 1,
                store::list,
                ScheduledMaintenance::name,
                window -> ListFilter.matches(state, window.phaseAt(now))
                        && ListFilter.matches(pool, window.pool())
                        && ListFilter.matchesOneOf(node, window.nodes()));
        return Page.of(found, page.limit(), ScheduledMaintenance::name)
                .map(window -> MaintenanceView.of(window, now))
                .response();
    }

    /** The phase is part of the view and of its ETag; it changes with time alone. */
    @GetMapping("/{name}")
    ResponseEntity<MaintenanceView> get(@PathVariable String name) {
        Versioned<ScheduledMaintenance> found = windows.find(name);
        MaintenanceView view = MaintenanceView.of(found.value(), time.now());
        EntityTag tag = EntityTag.of(
                found.version(), Integer.toUnsignedLong(view.phase().name().hashCode()));
        return tag.ok(view);
    }

    @PutMapping("/{name}")
    ResponseEntity<MaintenanceView> put(
            @RequestBody ScheduledMaintenance window,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestHeader("If-None-Match") Optional<String> ifNoneMatch) {
        ResponseEntity<ScheduledMaintenance> stored = windows.put(window, ifMatch, ifNoneMatch);
        return ResponseEntity.status(stored.getStatusCode())
                .headers(stored.getHeaders())
                .body(MaintenanceView.of(Objects.requireNonNull(stored.getBody()), time.now()));
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(@PathVariable String name, @RequestHeader("If-Match") Optional<String> ifMatch) {
        return windows.delete(name, ifMatch);
    }
}
