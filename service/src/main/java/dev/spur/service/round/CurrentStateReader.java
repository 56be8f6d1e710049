package dev.spur.service.round;

import dev.spur.service.cluster.MaintenanceStore;
import dev.spur.service.round.PublicationStore.PublicationJob;
import dev.spur.service.round.PublicationStore.PublicationNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Reads the state that a plan is published into, and locks the rows that its decisions change. */
@Component
class CurrentStateReader {
    private final PublicationStore rows;
    private final MaintenanceStore maintenance;

    CurrentStateReader(PublicationStore rows, MaintenanceStore maintenance) {
        this.rows = rows;
        this.maintenance = maintenance;
    }

    /**
     * State that a plan is published into, newer than the snapshot of the plan.
     *
     * @param jobs all active jobs by id; jobs whose allocation changes are locked
     * @param nodes nodes that the plan uses, locked
     * @param maintained ids of nodes that are in maintenance
     * @param now time of the transaction, by the clock of the database
     */
    record CurrentState(
            Map<String, PublicationJob> jobs, Map<String, PublicationNode> nodes, Set<String> maintained, Instant now) {
        CurrentState {
            jobs = Map.copyOf(jobs);
            nodes = Map.copyOf(nodes);
            maintained = Set.copyOf(maintained);
        }
    }

    /** The state as of the transaction of the publication, which must surround this call. */
    CurrentState lock(List<JobDecision> decisions) {
        Map<String, PublicationJob> jobs = jobs(decisions);
        Map<String, PublicationNode> nodes = rows.lockNodes(usedNodes(decisions));
        return new CurrentState(jobs, nodes, maintenance.maintained(), rows.now());
    }

    private Map<String, PublicationJob> jobs(List<JobDecision> decisions) {
        List<String> changing = decisions.stream()
                .filter(decision -> !decision.keeps())
                .map(JobDecision::jobId)
                .toList();
        Map<String, PublicationJob> locked = rows.lockJobs(changing);
        Map<String, PublicationJob> all = new HashMap<>(rows.activeJobs());
        changing.forEach(all::remove);
        all.putAll(locked);
        return all;
    }

    private static Set<String> usedNodes(List<JobDecision> decisions) {
        Set<String> nodes = new HashSet<>();
        decisions.forEach(decision -> nodes.addAll(decision.nodesAfter()));
        return nodes;
    }
}
