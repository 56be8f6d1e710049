package dev.spur.service.round;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

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
