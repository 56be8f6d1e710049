package dev.spur.service.cluster;

import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.EntityTag;
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

/** Maintenance windows. */
@RestController
@RequestMapping("/api/v1/maintenance-windows")
class MaintenanceController
        extends NamedResourceController<ScheduledMaintenance, MaintenanceController.MaintenanceView> {
    private final DatabaseTime time;

    MaintenanceController(
            MaintenanceStore store, MaintenanceRules rules, DatabaseTime time, RoundTrigger trigger, AuditTrail trail) {
        super(new Kind<>("maintenance window", ScheduledMaintenance::name, rules), store, trigger, trail);
        this.time = time;
    }

    @GetMapping
    ResponseEntity<Page<MaintenanceView>> list(
            @RequestParam(defaultValue = "") List<String> state,
            @RequestParam @Nullable String pool,
            @RequestParam @Nullable String node,
            AccessScope scope,
            PageRequest page) {
        Instant now = time.now();
        return list(
                        scope,
                        page,
                        window -> ListFilter.matches(state, window.phaseAt(now))
                                && ListFilter.matches(pool, window.pool())
                                && ListFilter.matchesOneOf(node, window.nodes()))
                .map(window -> MaintenanceView.of(window, now))
                .response();
    }

    @Override
    protected MaintenanceView view(ScheduledMaintenance window) {
        return MaintenanceView.of(window, time.now());
    }

    /** The phase is part of the view and of its ETag; it changes with time alone. */
    @Override
    protected EntityTag tag(long version, MaintenanceView view) {
        return EntityTag.of(version, Integer.toUnsignedLong(view.phase().name().hashCode()));
    }

    /**
     * A maintenance window as the API returns it: its definition, and its phase by the clock of the database.
     *
     * @param pool null if {@code nodes} names the nodes
     * @param reason null if none was given
     */
    record MaintenanceView(
            String name,
            List<String> nodes,
            @Nullable String pool,
            Instant start,
            Instant end,
            double leadSeconds,
            @Nullable String reason,
            ScheduledMaintenance.Phase phase) {
        static MaintenanceView of(ScheduledMaintenance window, Instant now) {
            return new MaintenanceView(
                    window.name(),
                    window.nodes(),
                    window.pool(),
                    window.start(),
                    window.end(),
                    window.leadSeconds(),
                    window.reason(),
                    window.phaseAt(now));
        }
    }
}
