package dev.spur.service.connector;

import dev.spur.connectors.PlatformText;
import dev.spur.connectors.reconcile.PlatformObservation;
import dev.spur.connectors.reconcile.ReconcileReport;
import dev.spur.model.json.RoundJson;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a look at a platform came to. Members as in the contract.
 *
 * @param inSync true if the platform shows all that the plan asks for
 * @param pendingChanges changes that the plan asks for and the platform does not show
 * @param blocked those of them that nothing is done for: they wait for room, for others to end, or for a higher control
 *     level, or were refused
 * @param nodes nodes that were seen
 * @param jobs jobs that were seen and have not ended
 * @param manuallyOverridden jobs that persons have taken over, by id, and what was seen
 * @param unmanagedUsage slots by node that jobs hold which Spur does not run
 * @param notes what could not be entered, for people
 */
record SyncReport(
        boolean inSync,
        int pendingChanges,
        int blocked,
        int nodes,
        long jobs,
        Map<String, String> manuallyOverridden,
        Map<String, Integer> unmanagedUsage,
        List<String> notes) {
    SyncReport {
        manuallyOverridden = new TreeMap<>(manuallyOverridden);
        manuallyOverridden.replaceAll((job, seen) -> PlatformText.clean(seen));
        unmanagedUsage = new TreeMap<>(unmanagedUsage);
        notes = notes.stream().map(PlatformText::clean).toList();
    }

    static SyncReport of(
            PlatformObservation seen, ReconcileReport report, Map<String, Integer> unmanagedUsage, List<String> notes) {
        return new SyncReport(
                report.inSync(),
                report.pendingChanges().size(),
                report.blocked().size(),
                seen.nodes().size(),
                seen.jobs().values().stream()
                        .filter(job -> !job.state().hasEnded())
                        .count(),
                report.manuallyOverridden(),
                unmanagedUsage,
                notes);
    }

    String json() {
        return RoundJson.mapper().writeValueAsString(this);
    }

    static SyncReport read(String json) {
        return RoundJson.mapper().readValue(json, SyncReport.class);
    }
}
