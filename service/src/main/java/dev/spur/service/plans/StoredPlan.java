package dev.spur.service.plans;

import java.time.Instant;
import java.util.Map;

/**
 * Published plan.
 *
 * @param revision revision, which is issued only once
 * @param round number of the round that made it
 * @param leaseTerm lease term under which it was published
 * @param publishedAt time of the publication
 * @param nodeRevisions revision of the last change of the assignments of each node, by node
 * @param summary summary of the plan as JSON
 * @param body the plan as JSON
 */
public record StoredPlan(
        long revision,
        long round,
        long leaseTerm,
        Instant publishedAt,
        Map<String, Long> nodeRevisions,
        String summary,
        String body) {
    public StoredPlan {
        nodeRevisions = Map.copyOf(nodeRevisions);
    }
}
