package dev.spur.service.cluster;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.NamedResourceController;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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
            MaintenanceStore store,
            NodeStore nodes,
            PoolStore pools,
            DatabaseTime time,
            RoundTrigger trigger,
            AuditTrail trail) {
        super(
                new Kind<>("maintenance window", ScheduledMaintenance::name, new Rules(store, nodes, pools, time)),
                store,
                trigger,
                trail);
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
        return EntityTag.of(
                version, Integer.toUnsignedLong(Objects.hash(view.phase().name(), view.occurrence())));
    }

    /**
     * A maintenance window as the API returns it, by the clock of the database.
     *
     * @param occurrence active or next occurrence; null after the last, and for a window that does not repeat
     */
    record MaintenanceView(
            @JsonUnwrapped ScheduledMaintenance window,
            ScheduledMaintenance.Phase phase,
            @Nullable Occurrence occurrence) {
        static MaintenanceView of(ScheduledMaintenance window, Instant now) {
            return new MaintenanceView(
                    window, window.phaseAt(now), window.range().occurrenceAt(now));
        }
    }

    /**
     * Validation rules of a maintenance window that its schema cannot express: it lies in the future, its nodes exist,
     * and no other window overlaps it there.
     */
    private record Rules(MaintenanceStore windows, NodeStore nodes, PoolStore pools, DatabaseTime time)
            implements NamedResourceController.Rules<ScheduledMaintenance> {
        /** Tolerated delay of a start "now": transmission takes time, and the clock of the caller may differ. */
        private static final Duration GRACE = Duration.ofMinutes(1);

        @Override
        public void check(ScheduledMaintenance value, @Nullable ScheduledMaintenance before, List<FieldError> errors) {
            Instant now = time.now();
            if (before != null && before.range().at(now).isEmpty()) {
                errors.add(FieldError.of("cannot change: the window has ended"));
                return;
            }
            value.range().check(errors);
            boolean isTimeValid = errors.isEmpty();
            if (isTimeValid && value.range().at(now).isEmpty()) {
                errors.add(FieldError.at("/end", "is in the past; the current time is " + now));
            }
            boolean moves = before == null || !before.start().equals(value.start());
            if (moves && value.start().isBefore(now.minus(GRACE))) {
                errors.add(FieldError.at("/start", "is in the past; the current time is " + now));
            }
            namesWhatExists(value, errors);
            if (isTimeValid) {
                isAlone(value, now, errors);
            }
        }

        private void namesWhatExists(ScheduledMaintenance value, List<FieldError> errors) {
            List<String> known = nodes.existing(value.nodes());
            for (int i = 0; i < value.nodes().size(); i++) {
                if (!known.contains(value.nodes().get(i))) {
                    errors.add(FieldError.at(
                            "/nodes/" + i, "there is no node " + value.nodes().get(i)));
                }
            }
            String pool = value.pool();
            if (pool != null && pools.find(pool).isEmpty()) {
                errors.add(FieldError.at("/pool", "there is no pool " + pool));
            }
        }

        private void isAlone(ScheduledMaintenance value, Instant now, List<FieldError> errors) {
            windows.lockCalendar();
            for (MaintenanceStore.Overlap overlap : windows.overlapping(value, now)) {
                int at = value.nodes().indexOf(overlap.node());
                errors.add(FieldError.at(
                        at < 0 ? "/pool" : "/nodes/" + at,
                        "node %s is in maintenance window %s at that time"
                                .formatted(overlap.node(), overlap.window())));
            }
        }
    }
}
