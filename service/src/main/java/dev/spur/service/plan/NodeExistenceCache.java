package dev.spur.service.plan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * Cache of the existing nodes, refreshed after some seconds. Idle nodes poll often and should not require a query each
 * time.
 */
@Component
class NodeExistenceCache {
    private static final long TRUST_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int MOST = 100_000;

    private final PlanStore plans;
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    NodeExistenceCache(PlanStore plans) {
        this.plans = plans;
    }

    /** True if the node exists. */
    boolean has(String id) {
        Long at = seen.get(id);
        if (at != null && System.nanoTime() - at < TRUST_NANOS) {
            return true;
        }
        boolean exists = plans.hasNode(id);
        if (exists && seen.size() < MOST) {
            seen.put(id, System.nanoTime());
        } else {
            seen.remove(id);
        }
        return exists;
    }
}
