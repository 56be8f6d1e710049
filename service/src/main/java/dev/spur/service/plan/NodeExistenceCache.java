package dev.spur.service.plan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import org.springframework.stereotype.Component;

/**
 * Cache of the existing nodes, refreshed after some seconds. Idle nodes poll often and should not require a query each
 * time.
 */
@Component
class NodeExistenceCache {
    private static final Duration TTL = Duration.ofSeconds(5);
    private static final int MAX_NODES = 100_000;

    private final PlanStore plans;
    private final Cache<String, Boolean> existing =
            Caffeine.newBuilder().maximumSize(MAX_NODES).expireAfterWrite(TTL).build();

    NodeExistenceCache(PlanStore plans) {
        this.plans = plans;
    }

    /** True if the node exists. */
    boolean has(String id) {
        return existing.get(id, missing -> plans.hasNode(missing) ? true : null) != null;
    }
}
