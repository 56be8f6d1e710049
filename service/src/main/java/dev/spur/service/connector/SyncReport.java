package dev.spur.service.connector;

import dev.spur.connectors.PlatformText;
import dev.spur.connectors.reconcile.PlatformObservation;
import dev.spur.connectors.reconcile.ReconcileReport;
import dev.spur.model.json.RoundJson;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Report of one synchronization with a platform. Members as in the contract.
 *
 * @param inSync whether the platform shows the complete plan
 * @param pendingChanges changes of the plan that the platform does not show yet
 * @param blocked those of them without an action: they wait for free nodes, for other jobs to end, or for a higher
 *     control level, or were rejected
 * @param nodes observed nodes
 * @param jobs observed active jobs
 * @param manuallyOverridden manually overridden jobs by id, with the observation
 * @param unmanagedUsage slots by node of jobs that Spur does not schedule
 * @param notes messages about objects that could not be imported
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
