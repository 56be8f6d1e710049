package dev.spur.service.connectors;

import dev.spur.connectors.reconcile.AggregatorReconciler;
import dev.spur.connectors.reconcile.PlatformObservation;
import dev.spur.connectors.reconcile.PlatformReconciler;
import dev.spur.connectors.reconcile.ReconcileReport;
import dev.spur.service.connectors.ConnectorStore.SyncReport;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/** One synchronization with a platform: it imports the observed state and applies the plan. */
@Component
class ConnectorSync {
    private final NodeImport nodes;
    private final JobImport jobs;
    private final ProgressImport progress;
    private final AggregatorSync aggregators;
    private final RequeueHandler requeues;
    private final UnmanagedUsage unmanaged;
    private final ConnectorStore connectors;
    private final ConnectorDesiredStateStore wants;

    ConnectorSync(
            NodeImport nodes,
            JobImport jobs,
            ProgressImport progress,
            AggregatorSync aggregators,
            RequeueHandler requeues,
            UnmanagedUsage unmanaged,
            ConnectorStore connectors,
            ConnectorDesiredStateStore wants) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.progress = progress;
        this.aggregators = aggregators;
        this.requeues = requeues;
        this.unmanaged = unmanaged;
        this.connectors = connectors;
        this.wants = wants;
    }

    /**
     * Synchronizes once.
     *
     * @throws IOException if the platform does not respond
     */
    void look(
            String connector,
            PlatformReconciler engine,
            Optional<AggregatorReconciler> keeper,
            JobTranslator translation)
            throws IOException, InterruptedException {
        PlatformObservation seen = engine.look();
        Set<String> others = new HashSet<>(engine.manuallyOverridden(seen).keySet());
        others.addAll(unmanaged.unmovable(connector, seen));
        Map<String, Integer> fixed = unmanaged.byNode(connector, seen, others);
        List<String> notes = nodes.enter(connector, seen.nodes(), fixed);
        connectors.find(connector).ifPresent(row -> notes.addAll(FixedBatches.notes(seen, row.controlLevel())));
        jobs.follow(connector, translation, seen, others);
        progress.follow(connector, seen);
        aggregators.follow(connector, seen);
        if (keeper.isPresent()) {
            aggregators.keep(connector, keeper.get());
        }
        ReconcileReport report = engine.reconcile(seen, wants.read(connector));
        requeues.afterRefusals(connector, seen);
        connectors.recordSync(connector, SyncReport.of(seen, report, fixed, notes));
    }
}
