package dev.spur.service.connector;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.ActionRecord;
import dev.spur.connectors.reconcile.AggregatorReconciler;
import dev.spur.connectors.reconcile.PlatformObservation;
import dev.spur.connectors.reconcile.PlatformReconciler;
import dev.spur.connectors.reconcile.ReconcileReport;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** One synchronization with a platform: it imports the observed state and applies the plan. */
@Component
class ConnectorSync {
    private final NodeImport nodes;
    private final JobImport jobs;
    private final ProgressImport progress;
    private final AggregatorSync aggregators;
    private final RequeueHandler requeues;
    private final ConnectorStore connectors;
    private final ConnectorJobStore rows;
    private final ConnectorActionStore actions;
    private final ConnectorDesiredStateStore wants;

    ConnectorSync(
            NodeImport nodes,
            JobImport jobs,
            ProgressImport progress,
            AggregatorSync aggregators,
            RequeueHandler requeues,
            ConnectorStore connectors,
            ConnectorJobStore rows,
            ConnectorActionStore actions,
            ConnectorDesiredStateStore wants) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.progress = progress;
        this.aggregators = aggregators;
        this.requeues = requeues;
        this.connectors = connectors;
        this.rows = rows;
        this.actions = actions;
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
        others.addAll(unmovable(connector, seen));
        Map<String, Integer> fixed = unmanagedUsage(connector, seen, others);
        List<String> notes = nodes.enter(connector, seen.nodes(), fixed);
        jobs.follow(connector, translation, seen, others);
        progress.follow(connector, seen);
        aggregators.follow(connector, seen);
        if (keeper.isPresent()) {
            aggregators.keep(connector, keeper.get());
        }
        ReconcileReport report = engine.reconcile(seen, wants.desired(connector));
        requeues.afterRefusals(connector, seen);
        connectors.found(connector, SyncReport.of(seen, report, fixed, notes).json());
    }

    /** Returns running jobs that the platform did not let be stopped or moved. */
    private Set<String> unmovable(String connector, PlatformObservation seen) {
        Set<String> unmovable = new HashSet<>();
        for (PlatformJob job : seen.jobs().values()) {
            if (job.state() == State.RUNNING && job.mark().isPresent()) {
                actions.lastOf(connector, job.id())
                        .filter(last -> last.state() == ActionRecord.State.REFUSED)
                        .map(ActionRecord::action)
                        .filter(action -> action.kind().interrupts() || action.kind() == JobAction.Kind.CANCEL)
                        .ifPresent(action -> unmovable.add(job.id()));
            }
        }
        return unmovable;
    }

    /** Returns by node the slots used by jobs that Spur does not schedule; they are excluded from planning. */
    private Map<String, Integer> unmanagedUsage(String connector, PlatformObservation seen, Set<String> others) {
        Map<String, ConnectorJobStore.Row> known = rows.jobs(connector);
        Map<String, Integer> fixed = new TreeMap<>();
        for (PlatformJob job : seen.jobs().values()) {
            ConnectorJobStore.Row row = known.get(job.id());
            boolean taken = row != null && row.jobId() != null;
            boolean spurs = taken && job.mark().isPresent() && !others.contains(job.id());
            if (!spurs) {
                job.held().slots().forEach((node, slots) -> fixed.merge(node, slots, Integer::sum));
            }
        }
        return fixed;
    }
}
