package dev.spur.service.store;

import java.time.Instant;
import java.util.Map;

/**
 * A published plan.
 *
 * @param revision its number, never given twice
 * @param round number of the round that made it
 * @param leaseTerm leaseTerm of the lease under which it was published
 * @param publishedAt when
 * @param nodeRevisions by node: the revision at which the node's part of the plan last changed
 * @param summary the plan in short, as JSON
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
