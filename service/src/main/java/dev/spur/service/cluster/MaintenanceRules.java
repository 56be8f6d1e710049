package dev.spur.service.cluster;

import dev.spur.service.contract.FieldError;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.resource.NamedResourceController;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Validation rules of a maintenance window that its schema cannot express: it lies in the future, its nodes exist, and
 * no other window overlaps it there.
 */
@Component
class MaintenanceRules implements NamedResourceController.Rules<ScheduledMaintenance> {
    /** Tolerated delay of a start "now": transmission takes time, and the clock of the caller may differ. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final MaintenanceStore windows;
    private final NodeStore nodes;
    private final PoolStore pools;
    private final DatabaseTime time;

    MaintenanceRules(MaintenanceStore windows, NodeStore nodes, PoolStore pools, DatabaseTime time) {
        this.windows = windows;
        this.nodes = nodes;
        this.pools = pools;
        this.time = time;
    }

    @Override
    public void check(ScheduledMaintenance value, @Nullable ScheduledMaintenance before, List<FieldError> errors) {
        Instant now = time.now();
        if (before != null && !now.isBefore(before.end())) {
            errors.add(FieldError.of("cannot change: the window has ended"));
            return;
        }
        if (!now.isBefore(value.end())) {
            errors.add(FieldError.at("/end", "is in the past; the current time is " + now));
        }
        boolean moves = before == null || !before.start().equals(value.start());
        if (moves && value.start().isBefore(now.minus(GRACE))) {
            errors.add(FieldError.at("/start", "is in the past; the current time is " + now));
        }
        namesWhatExists(value, errors);
        isAlone(value, errors);
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

    private void isAlone(ScheduledMaintenance value, List<FieldError> errors) {
        windows.lockCalendar();
        for (MaintenanceStore.Overlap overlap : windows.overlapping(value)) {
            int at = value.nodes().indexOf(overlap.node());
            errors.add(FieldError.at(
                    at < 0 ? "/pool" : "/nodes/" + at,
                    "node %s is in maintenance window %s at that time".formatted(overlap.node(), overlap.window())));
        }
    }
}
