package dev.spur.service.round;

import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlannedAggregator;
import dev.spur.service.plan.PlannedDomain;
import dev.spur.service.plan.PlannedPreparations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Comparison of a new plan with the current one. */
final class PlanComparison {
    private PlanComparison() {}

    /** True if the publication of {@code next} would change nothing but times and predictions. */
    static boolean isEqual(PlanDocument current, PlanDocument next) {
        return runs(current).equals(runs(next))
                && places(current).equals(places(next))
                && waits(current.waiting()).equals(waits(next.waiting()))
                && current.deadlineStatuses().equals(next.deadlineStatuses())
                && prepared(current).equals(prepared(next))
                && domains(current).equals(domains(next));
    }

    private static Map<String, Long> runs(PlanDocument document) {
        Map<String, Long> generations = new HashMap<>();
        document.running().forEach(entry -> generations.put(entry.jobId(), entry.generation()));
        return generations;
    }

    private static List<PlannedAggregator> places(PlanDocument document) {
        return document.aggregators().stream()
                .map(PlannedAggregator::withoutPredictions)
                .toList();
    }

    private static List<String> domains(PlanDocument document) {
        List<PlannedDomain> parts = document.domains();
        return parts == null
                ? List.of()
                : parts.stream().map(PlannedDomain::name).toList();
    }

    private static List<List<Object>> prepared(PlanDocument document) {
        PlannedPreparations prepared = document.preparations();
        if (prepared == null) {
            return List.of();
        }
        List<List<Object>> facts = new ArrayList<>(waits(prepared.waiting()));
        prepared.running().forEach(entry -> facts.add(List.of(entry.jobId(), entry.generation(), entry.grant())));
        return facts;
    }

    /** Pending jobs without their messages, which may contain times, for comparison. */
    private static List<List<Object>> waits(List<PendingJob> waiting) {
        return waiting.stream()
                .map(pending ->
                        waits(pending.jobId(), pending.reason(), pending.resource(), pending.needed(), pending.free()))
                .toList();
    }

    private static List<Object> waits(
            String id,
            PendingReason reason,
            @Nullable String resource,
            @Nullable Double needed,
            @Nullable Double free) {
        return List.of(
                id, reason, Optional.ofNullable(resource), Optional.ofNullable(needed), Optional.ofNullable(free));
    }
}
