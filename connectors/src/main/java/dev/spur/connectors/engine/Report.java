package dev.spur.connectors.engine;

import dev.spur.connectors.Action;
import java.util.List;
import java.util.Map;

/**
 * What a look at the platform came to.
 *
 * @param pendingChanges what the plan asks for and the platform does not show
 * @param begun those of it that were begun
 * @param blocked those of it that are not being done: there is no room yet, or the control level, the limits or the platform do not let them begin
 * @param manuallyOverridden jobs that a person has taken over, by id, and what was seen
 * @param failures verifications that failed, one sentence each
 */
public record Report(
        List<Action> pendingChanges,
        List<Action> begun,
        List<Action> blocked,
        Map<String, String> manuallyOverridden,
        List<String> failures) {
    public Report {
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
