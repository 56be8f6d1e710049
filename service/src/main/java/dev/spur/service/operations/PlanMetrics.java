package dev.spur.service.operations;

import dev.spur.model.round.PendingReason;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanFeed;
import dev.spur.service.plans.PlannedAggregator;
import dev.spur.service.plans.PlannedPreparations;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/**
 * Metrics of the current plan, which are the same on every replica, and of the callers that wait for the next plan on
 * this replica.
 */
@Component
class PlanMetrics {
    private final PlanFeed feed;
    private final MeterRegistry registry;

    PlanMetrics(PlanFeed feed, MeterRegistry registry) {
        this.feed = feed;
        this.registry = registry;
        gauge("spur.plan.revision", "Revision of the current plan", PlanDocument::revision);
        gauge("spur.plan.age.seconds", "Time since the current plan was published", PlanMetrics::age);
        gauge(
                "spur.jobs.running",
                "Jobs that run in the current plan",
                plan -> plan.running().size());
        for (PendingReason reason : PendingReason.values()) {
            Gauge.builder("spur.jobs.waiting", () -> of(plan -> waiting(plan, reason)))
                    .description("Pending jobs in the current plan, by reason")
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        gauge(
                "spur.preparations.running",
                "Preparations that run in the current plan",
                ofPreparations(preparations -> preparations.running().size()));
        gauge(
                "spur.preparations.waiting",
                "Pending preparations in the current plan",
                ofPreparations(preparations -> preparations.waiting().size()));
        gauge(
                "spur.memory.lent.gib",
                "Memory of nodes that preparations on other nodes may use in the current plan, GiB",
                ofPreparations(preparations -> preparations.running().stream()
                        .mapToInt(entry -> entry.grant().borrowedGiB())
                        .sum()));
        gauge(
                "spur.aggregators",
                "Aggregators in the current plan",
                plan -> plan.aggregators().size());
        gauge(
                "spur.aggregators.slots",
                "Aggregation slots of the aggregators in the current plan",
                plan -> plan.aggregators().stream()
                        .mapToDouble(PlannedAggregator::cpus)
                        .sum());
        gauge(
                "spur.aggregators.load",
                "Expected busy aggregation slots in the current plan, where known",
                plan -> plan.aggregators().stream()
                        .mapToDouble(PlanMetrics::load)
                        .sum());
        Gauge.builder("spur.feed.waiters", feed, PlanFeed::waiting)
                .description("Callers that wait for the next plan")
                .register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<PlanDocument> value) {
        Gauge.builder(name, () -> of(value)).description(description).register(registry);
    }

    private static ToDoubleFunction<PlanDocument> ofPreparations(ToDoubleFunction<PlannedPreparations> value) {
        return plan -> {
            PlannedPreparations preparations = plan.preparations();
            return preparations == null ? 0 : value.applyAsDouble(preparations);
        };
    }

    private double of(ToDoubleFunction<PlanDocument> value) {
        return feed.current().map(plan -> value.applyAsDouble(plan)).orElse(Double.NaN);
    }

    private static double load(PlannedAggregator aggregator) {
        Double load = aggregator.load();
        return load == null ? 0 : load * aggregator.cpus();
    }

    private static double age(PlanDocument plan) {
        return Duration.between(plan.publishedAt(), Clock.systemUTC().instant()).toMillis() / 1e3;
    }

    private static double waiting(PlanDocument plan, PendingReason reason) {
        return plan.waiting().stream()
                .filter(pending -> pending.reason() == reason)
                .count();
    }
}
