package dev.spur.service.connectors;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.ActionRecord;
import dev.spur.connectors.reconcile.PlatformObservation;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** Jobs and slots of a platform that are excluded from planning. */
@Component
class UnmanagedUsage {
    private final ConnectorJobStore rows;
    private final ConnectorActionStore actions;

    UnmanagedUsage(ConnectorJobStore rows, ConnectorActionStore actions) {
        this.rows = rows;
        this.actions = actions;
    }

    /** Returns running jobs that the platform did not let be stopped or moved. */
    Set<String> unmovable(String connector, PlatformObservation seen) {
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
    Map<String, Integer> byNode(String connector, PlatformObservation seen, Set<String> others) {
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
