package dev.spur.service.feeds;

import dev.spur.service.security.AccessScope;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Condition on events. A plan is the event of no job: it is visible in every scope, and a tenant or job excludes it.
 */
record EventFilter(
        AccessScope scope,
        @Nullable String tenant,
        @Nullable String job,
        Set<String> kinds) implements Predicate<ClusterEvent> {
    public EventFilter {
        kinds = Set.copyOf(kinds);
    }

    @Override
    public boolean test(ClusterEvent event) {
        return (event.tenant() == null || scope.covers(event.tenant()))
                && (tenant == null || tenant.equals(event.tenant()))
                && (job == null || job.equals(event.jobId()))
                && (kinds.isEmpty() || kinds.contains(event.kind()));
    }
}
