package dev.spur.service.connector;

import dev.spur.connectors.PlatformText;
import dev.spur.connectors.reconcile.PlatformObservation;
import dev.spur.connectors.reconcile.ReconcileReport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Report of one synchronization with a platform. Members as in the contract. */
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
}
