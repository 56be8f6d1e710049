package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobAction;
import java.util.List;
import java.util.Map;

/**
 * What a look at the platform came to.
 *
 * @param pendingChanges what the plan asks for and the platform does not show
 * @param begun those of it that were begun
 * @param blocked those of it that are not being done: there is no room yet, or the control level, the limits or the
 *     platform do not let them begin
 * @param manuallyOverridden jobs that a person has taken over, by id, and what was seen
 * @param failures verifications that failed, one sentence each
 */
public record ReconcileReport(
        List<JobAction> pendingChanges,
        List<JobAction> begun,
        List<JobAction> blocked,
        Map<String, String> manuallyOverridden,
        List<String> failures) {
    public ReconcileReport {
        pendingChanges = List.copyOf(pendingChanges);
        begun = List.copyOf(begun);
        blocked = List.copyOf(blocked);
        manuallyOverridden = Map.copyOf(manuallyOverridden);
        failures = List.copyOf(failures);
    }

    /** True if the platform shows all that the plan asks for. */
    public boolean inSync() {
        return pendingChanges.isEmpty();
    }
}
