package dev.spur.service.plans;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.access.AccessScopeStore;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Restricts plans to the scope of callers: they see their own jobs only. Facts about the whole plan remain. */
@Component
class ScopedPlanView {
    private final AccessScopeStore store;

    ScopedPlanView(AccessScopeStore store) {
        this.store = store;
    }

    /** The part of a plan in scope. Queue positions count jobs out of scope as well. */
    PlanDocument within(AccessScope reach, PlanDocument plan) {
        if (reach.isAll()) {
            return plan;
        }
        Set<String> ids = new HashSet<>(plan.deadlineStatuses().keySet());
        plan.running().forEach(entry -> ids.add(entry.jobId()));
        plan.allWaiting().forEach(pending -> ids.add(pending.jobId()));
        PlannedPreparations preparations = plan.preparations();
        if (preparations != null) {
            preparations.running().forEach(entry -> ids.add(entry.jobId()));
        }
        Set<String> own = store.jobsAmong(reach, ids);
        Map<String, DeadlineStatus> deadlineStatuses = plan.deadlineStatuses().entrySet().stream()
                .filter(deadlineStatus -> own.contains(deadlineStatus.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return new PlanDocument(
                plan.revision(),
                plan.round(),
                plan.publishedAt(),
                plan.explainedAt(),
                plan.running().stream()
                        .filter(entry -> own.contains(entry.jobId()))
                        .toList(),
                plan.waiting().stream()
                        .filter(pending -> own.contains(pending.jobId()))
                        .toList(),
                deadlineStatuses,
                plan.quality(),
                plan.aggregators().stream()
                        .map(aggregator -> aggregator.only(own))
                        .filter(aggregator -> !aggregator.shardsByJob().isEmpty())
                        .toList(),
                plan.remedies().stream()
                        .filter(remedy -> own.contains(remedy.jobId()))
                        .toList(),
                preparations == null ? null : preparations.only(own));
    }
}
