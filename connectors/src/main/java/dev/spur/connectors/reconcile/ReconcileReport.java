package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobAction;
import java.util.List;
import java.util.Map;

/**
 * Result of a sync.
 *
 * @param pendingChanges changes required by the plan that the platform does not show
 * @param started pending changes that were started
 * @param blocked pending changes that cannot start: no free slots, or not permitted by the control level, the limits or
 *     the platform
 * @param manuallyOverridden manually overridden jobs by id, with the observed difference
 * @param failures messages of failed verifications
 */
public record ReconcileReport(
        List<JobAction> pendingChanges,
        List<JobAction> started,
        List<JobAction> blocked,
        Map<String, String> manuallyOverridden,
        List<String> failures) {
    public ReconcileReport {
        pendingChanges = List.copyOf(pendingChanges);
        started = List.copyOf(started);
        blocked = List.copyOf(blocked);
        manuallyOverridden = Map.copyOf(manuallyOverridden);
        failures = List.copyOf(failures);
    }

    /** Returns true if the platform shows the complete desired state. */
    public boolean inSync() {
        return pendingChanges.isEmpty();
    }
}
